import { type Config, loadConfig } from '#server/config.ts';

export const ADMIN_PASSWORD = 'bench password';
export const BENCH_SECRET = Buffer.alloc(32, 'bench').toString('base64');

/** What the server of a bench is told. Its secret is given, so that it may be asked for before or after there is a database. */
export const benchConfig = (dataDir: string): Config =>
  loadConfig({
    ...{ DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'silent' },
    APP_SECRET: BENCH_SECRET,
  });
