import { expect, it } from 'vitest';
import { addGamePreset } from '#contract/games.ts';
import { startTestServer } from '#server/testing/test-server.ts';

/** What is answered to who adds presets of each rule of phases, on a platform in that zone. */
async function answersIn(timeZone: string): Promise<(string | null)[]> {
  const server = await startTestServer({ timeZone });
  const admin = await server.admin();
  const answers: (string | null)[] = [];
  for (const key of ['jsk3', 'ssq', 'pc28'])
    answers.push((await admin.call(addGamePreset, { key })).envelope.msg);
  await server.close();
  return answers;
}

it('a preset says where its betting times, those of Beijing, are not those that the platform’s clocks show', async () => {
  for (const msg of await answersIn('Asia/Kathmandu')) {
    expect(msg).toMatch(/^新增成功/);
    expect(msg).toMatch(
      /。投注时间是北京时间的钟点，平台时区 Asia\/Kathmandu 比北京时间慢 2 小时 15 分钟：启用之前请改为平台时区的时间，否则开奖之后仍可投注$/,
    );
  }
});

it('and nothing of it where they are', async () => {
  const [first, ...others] = await answersIn('Asia/Singapore');
  expect(first).toBe('新增成功');
  expect(others.join()).not.toContain('北京');
});
