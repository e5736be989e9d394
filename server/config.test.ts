import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { ConfigError } from '#server/config-error.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const secret = Buffer.alloc(32, 7).toString('base64');
const embedded = { DATA_DIR: dataDir };
const remote = { DATABASE_URL: 'postgres://u:p@db:5432/x', APP_SECRET: secret };

describe('defaults', () => {
  test('embedded mode: sample data on, loopback, a secret of its own', () => {
    const config = loadConfig(embedded);
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      databaseUrl: null,
      sampleData: true,
      adminUsername: 'admin',
      adminPassword: null,
      timeZone: 'Asia/Shanghai',
      platformApiKey: null,
      metricsToken: null,
      trustedProxies: ['127.0.0.0/8', '::1'],
      telegram: null,
      spiderAllowedHosts: [],
      logLevel: 'info',
      drainSeconds: 0,
    });
    expect(config.secret).toHaveLength(32);
  });

  test('the secret of embedded mode is kept for its owner alone and stays the same', () => {
    expect(loadConfig(embedded).secret).toEqual(loadConfig(embedded).secret);
    expect(statSync(join(dataDir, 'app-secret')).mode & 0o777).toBe(0o600);
  });

  test('a damaged kept secret stops the start', () => {
    const damaged = mkdtempSync(join(tmpdir(), 'config-'));
    writeFileSync(join(damaged, 'app-secret'), 'short');
    expect(() => loadConfig({ DATA_DIR: damaged })).toThrow(/app-secret 已损坏/);
    rmSync(damaged, { recursive: true });
  });

  test('with DATABASE_URL sample data is off and APP_SECRET is demanded', () => {
    expect(loadConfig(remote).sampleData).toBe(false);
    expect(() => loadConfig({ ...remote, APP_SECRET: '' })).toThrow(/APP_SECRET/);
  });

  test('empty variables count as absent', () => {
    expect(loadConfig({ ...embedded, PORT: '', HOST: '', SAMPLE_DATA: '' }).port).toBe(8080);
  });
});

test('HOST is taken as it is given', () => {
  expect(loadConfig({ ...embedded, HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
});

describe('a wrong value stops the start with a sentence that names the variable', () => {
  test.each([
    ['HOST', 'a b'],
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_REPLICA_URL', 'postgres://u:p@replica/x'],
    ['DATABASE_OWNER_URL', 'postgres://u:p@owner/x'],
    ['APP_SECRET', 'c2hvcnQ='],
    ['APP_SECRET', `${secret.slice(0, -3)}!!=`],
    ['ADMIN_PASSWORD', 'short'],
    ['ADMIN_USERNAME', 'x'.repeat(51)],
    ['ADMIN_USERNAME', ' '],
    ['SAMPLE_DATA', 'maybe'],
    ['PLATFORM_TIME_ZONE', 'Asia/Nowhere'],
    ['PLATFORM_TIME_ZONE', '+08:00'],
    ['PLATFORM_API_KEY', `has space in it ${'x'.repeat(32)}`],
    ['PLATFORM_API_KEY', 'x'.repeat(31)],
    ['PLATFORM_API_KEY', 'x'.repeat(513)],
    ['PLATFORM_API_KEY', `${'x'.repeat(32)}!#$@`],
    ['METRICS_TOKEN', 'x'.repeat(31)],
    ['TRUSTED_PROXIES', '10.0.0.0/8, proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0'],
    ['TRUSTED_PROXIES', '10.0/8'],
    ['TELEGRAM_API_ID', 'abc'],
    ['TELEGRAM_API_ID', '12345'],
    ['TELEGRAM_API_HASH', '0123456789abcdef0123456789abcdef'],
    ['SPIDER_ALLOWED_HOSTS', 'host-without-port'],
    ['SPIDER_ALLOWED_HOSTS', 'host:70000'],
    ['SPIDER_ALLOWED_HOSTS', '10.0.0.256:80'],
    ['SPIDER_ALLOWED_HOSTS', 'user@host:80'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    expect(() => loadConfig({ ...embedded, [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ ...embedded, [name]: value })).toThrow(
      new RegExp(`${name}.*[\\u4e00-\\u9fff]`),
    );
  });

  // The start would say nothing of the variable, or ask another host.
  test.each(['50%off', '12/34', '12#34', 'p#34', '?x'])('a password of %s as it is', (password) => {
    const url = `postgres://u:${password}@db:5432/x`;
    expect(() => loadConfig({ ...remote, DATABASE_URL: url })).toThrow(/环境变量 DATABASE_URL .*%40/);
    const escaped = `postgres://u:${encodeURIComponent(password)}@db:5432/x?prepare=false`;
    expect(loadConfig({ ...remote, DATABASE_URL: escaped }).databaseUrl).toBe(escaped);
  });

  test('an unusable DATA_DIR is named', () => {
    // In /proc, which takes no folder, Node's own way to make one never ends.
    for (const nowhere of ['/dev/null/x', '/proc/x', '/proc/x/y'])
      expect(() => loadConfig({ DATA_DIR: nowhere })).toThrow(
        `环境变量 DATA_DIR 指向的目录无法读写：${nowhere}（`,
      );
    const file = join(dataDir, 'a-file');
    writeFileSync(file, '');
    expect(() => loadConfig({ DATA_DIR: file })).toThrow(ConfigError);
  });
});

test('values are read as their types', () => {
  const config = loadConfig({
    ...remote,
    PORT: '0',
    SAMPLE_DATA: 'ON',
    TELEGRAM_API_ID: '12345',
    TELEGRAM_API_HASH: '0123456789abcdef0123456789abcdef',
    SPIDER_ALLOWED_HOSTS: ' Feed.Internal:8443, [0:0::1]:25, 127.1:0080, 采集.internal.:8080 ',
    DATABASE_REPLICA_URL: 'postgresql://u:p@replica/x',
    TRUSTED_PROXIES: '10.1.2.3, FD00::/8',
    PLATFORM_API_KEY: `aZ09._~+/=-${'x'.repeat(21)}`,
  });
  expect(config).toMatchObject({
    port: 0,
    sampleData: true,
    telegram: { apiId: 12345 },
    // As addresses have them: otherwise they would never be met.
    spiderAllowedHosts: ['feed.internal:8443', '[::1]:25', '127.0.0.1:80', 'xn--vm4ak2h.internal:8080'],
    databaseReplicaUrl: 'postgresql://u:p@replica/x',
    trustedProxies: ['10.1.2.3', 'fd00::/8'],
    platformApiKey: `aZ09._~+/=-${'x'.repeat(21)}`,
  });
});
