import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts';
import { given } from '#server/testing/given.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { platformKey } from './server.ts';

/** Two servers on one database that nobody else uses, without sample data: a queue there is the test's own. */
export interface TwoServers {
  readonly origins: readonly [string, string];
  /** For what has to be so before a test begins. */
  readonly db: Db;
  readonly admin: TestClient;
  /** The players' site. */
  readonly site: TestClient;
  stop(): Promise<void>;
}

const sessionAt = async (origin: string, username: string, password: string) =>
  given((await testClient(origin).call(login, { username, password })).envelope.data);

export async function startTwoServers(): Promise<TwoServers> {
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-two-'));
  const opened: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, onEvent: () => undefined });
    opened.push(() => postgres.stop());
    const db = connect(postgres.url, { timeZone: 'Asia/Shanghai', max: 2 });
    opened.push(() => db.destroy());
    const environment = {
      ...{ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl },
      ...{ DATA_DIR: dataDir, PLATFORM_API_KEY: platformKey },
    };
    const start = async () => {
      const program = await startProgram(environment);
      opened.push(() => program.end('SIGTERM'));
      return program;
    };
    // The first makes the database.
    const one = await start();
    const two = await start();
    const { ADMIN_USERNAME, ADMIN_PASSWORD } = programEnvironment;
    const { access_token } = await sessionAt(one.origin, ADMIN_USERNAME, ADMIN_PASSWORD);
    return {
      origins: [one.origin, two.origin],
      db,
      admin: testClient(one.origin, access_token),
      site: testClient(one.origin, platformKey),
      stop,
    };
  } catch (error) {
    // What runs already is not left behind.
    await stop();
    throw error;
  }
}

/** A window in which an operator is signed in at one of the servers. */
export async function windowAt(
  browser: Browser,
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<Page> {
  const value = JSON.stringify({ ...(await sessionAt(origin, username, password)), operator: username });
  const context = await browser.newContext({
    ...{ baseURL: origin, locale: 'zh-CN', viewport: { width: 1280, height: 800 } },
    storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'token', value }] }] },
  });
  return context.newPage();
}
