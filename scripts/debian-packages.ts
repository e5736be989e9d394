import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const POLICY = '/usr/sbin/policy-rc.d';
/** What a package's own scripts ask before they start its service. */
const startNothing = '#!/bin/sh\nexit 101\n';

/** Installs Debian's packages whose files are missing, when it may; nothing that they bring is started. Tells why it cannot. */
export function demandPackages(files: Readonly<Record<string, string>>): string | undefined {
  const missing = () => Object.keys(files).filter((name) => !existsSync(files[name] ?? ''));
  const names = missing();
  if (names.length === 0) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return `缺少 ${names.join('、')}，只有在 Debian 上以 root 运行时才能自动安装`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...words: string[]) => spawnSync('apt-get', words, { env, stdio: 'inherit' }).status === 0;
  const isSet = existsSync(POLICY);
  if (!isSet) spawnSync('install', ['-m', '755', '/dev/stdin', POLICY], { input: startNothing });
  const done = run('update', '-q') && run('install', '-qy', '--no-install-recommends', ...names);
  if (!isSet) spawnSync('rm', ['-f', POLICY]);
  return done && missing().length === 0 ? undefined : `无法安装 ${names.join('、')}`;
}
