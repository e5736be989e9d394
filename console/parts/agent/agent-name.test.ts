import { expect, test } from 'vitest';
import { agentName } from './agent-name.ts';

const like = (system: string, rest: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`;

test.each([
  [like('Windows NT 10.0; Win64; x64', 'Chrome/141.0.0.0 Safari/537.36'), 'Chrome 141，Windows'],
  [like('Windows NT 10.0; Win64; x64', 'Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0'), 'Edge 141，Windows'],
  [
    like('iPhone; CPU iPhone OS 18_5 like Mac OS X', 'Version/18.5 Mobile/15E148 Safari/604.1'),
    'Safari 18，iOS',
  ],
  [like('Linux; Android 15', 'Chrome/140.0.0.0 Mobile Safari/537.36'), 'Chrome 140，Android'],
  [like('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.5 Safari/605.1.15'), 'Safari 18，macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140，Linux'],
  ['curl/8.15.0', 'curl/8.15.0'],
  ['', ''],
])('%s is %s', (agent, name) => {
  expect(agentName(agent)).toBe(name);
});
