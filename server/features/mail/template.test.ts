import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSeed } from '#server/testing/random-seed.ts';
import { nextAttempt } from './retry-times.ts';
import { renderMail, variablesIn } from './template.ts';

describe('a mail template', () => {
  it('of plain text keeps its lines and says the same in both bodies', () => {
    expect(renderMail('您的验证码：{{code}}\n\n5 分钟内有效', { code: '123456' }, '登录验证')).toEqual({
      subject: '登录验证',
      text: '您的验证码：123456\n\n5 分钟内有效',
      html: '您的验证码：123456<br>\n<br>\n5 分钟内有效',
    });
  });

  it('names its subject in a first line', () => {
    for (const head of ['主题：欢迎 {{name}}', 'Subject: 欢迎 {{name}}', '主题: 欢迎 {{ name }}\r'])
      expect(renderMail(`${head}\n\n正文`, { name: '<小明>' }, 'x')).toMatchObject({
        subject: '欢迎 <小明>',
        text: '正文',
      });
  });

  it('of HTML gets its values escaped, and a body for readers without HTML', () => {
    const mail = renderMail(
      '<p>您好 {{name}}</p><p>码 <b>{{code}}</b></p>',
      { name: '<b>&', code: '1' },
      'x',
    );
    expect(mail.html).toBe('<p>您好 &lt;b&gt;&amp;</p><p>码 <b>1</b></p>');
    expect(mail.text).toBe('您好 <b>&\n码 1');
  });

  it('tells which variables it wants, and takes none from the object’s own names', () => {
    expect(variablesIn('{{a}} {{ b.c }} {{a}} {{}} {x} {{ d e }}')).toEqual(['a', 'b.c']);
    expect(renderMail('{{constructor}}{{__proto__}}', {}, 'x').text).toBe('');
  });

  it('lets no value open a tag, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const { html } = renderMail('<p>{{v}}</p>', { v: value }, 'x');
        expect(html.slice(3, -4)).not.toMatch(/[<>"']/);
      }),
      { seed: randomSeed },
    );
  });
});

describe('the times between attempts', () => {
  it('grow from half a minute to an hour, and end', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const minutes = [1, 2, 3, 4, 5, 6, 7].map(
      (attempts) => ((nextAttempt(attempts, now)?.getTime() ?? 0) - now.getTime()) / 60_000,
    );
    expect(minutes).toEqual([0.5, 1, 2, 5, 10, 30, 60]);
    expect(nextAttempt(8, now)).toBeNull();
  });
});

it.each(['<br', '<br ', '<a ', '<script', '<style></script', '</p', '{{ '])(
  // Reading on from every part to the page's end would take minutes.
  'reads a page of %s once from its beginning to its end',
  { timeout: 10_000 },
  (part) => {
    expect(renderMail(`<p>${part.repeat(100_000)}`, {}, '主题').html).toContain('<p>');
  },
);

it('leaves out scripts, styles and heads, each to its own end', () => {
  const html =
    '<head><title>x</title></HEAD><p>一</p><script>1</style>2</script>二<style>a{}</style><script>三';
  expect(renderMail(html, {}, '主题').text).toBe('一\n二三');
});
