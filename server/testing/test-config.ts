import { tmpdir } from 'node:os';
import { type Config, loadConfig } from '#server/config.ts';

const environment = {
  DATABASE_URL: 'postgres://not-used/',
  APP_SECRET: Buffer.alloc(32, 'test').toString('base64'),
  DATA_DIR: tmpdir(),
  ADMIN_USERNAME: 'admin',
  ADMIN_PASSWORD: 'the tests sign in by this',
  PLATFORM_API_KEY: 'platform-key-of-the-tests-0123456789',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  PORT: '0',
  // A busy machine makes any statement slow; a test that is about them says so.
  SLOW_STATEMENT_MS: '0',
};

/** What a server of the tests runs with; TEST_LOG_LEVEL=info shows its log. */
export const testConfig = (overrides: Partial<Config> = {}): Config => ({
  ...loadConfig(environment),
  ...overrides,
});
