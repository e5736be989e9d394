import { login } from '#contract/sign-in.ts';
import { buildApp } from '#server/app.ts';
import type { Config } from '#server/config.ts';
import { openConnections } from '#server/db/connections.ts';
import type { Db } from '#server/db/database.ts';
import { type TestClient, testClient } from './test-client.ts';
import { testConfig } from './test-config.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

export interface TestServer {
  /** As in `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly db: Db;
  readonly database: TestDatabase;
  readonly config: Config;
  readonly anonymous: TestClient;
  /** The seed's operator with full rights, signed in once. */
  admin(): Promise<TestClient>;
  /** The players' site, with the platform key. */
  site(): TestClient;
  as(username: string, password: string): Promise<TestClient>;
  withToken(token: string): TestClient;
  /** Stops the server, and drops its database if it was made for it. */
  close(): Promise<void>;
}

/** Starts the whole server on a free port, with a database of its own unless one is given to be shared. */
export async function startTestServer(
  overrides: Partial<Config> = {},
  shared?: TestDatabase,
  options: Partial<Parameters<typeof buildApp>[0]> = {},
): Promise<TestServer> {
  const config = testConfig(overrides);
  const database = shared ?? (await testDatabase({ timeZone: config.timeZone }));
  const { timeZone, databaseReplicaUrl: replicaUrl } = config;
  const connections = openConnections(database.url, { timeZone, replicaUrl });
  const app = await buildApp({ config, connections, ...options });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const anonymous = testClient(origin);

  async function as(username: string, password: string): Promise<TestClient> {
    const { envelope } = await anonymous.call(login, { username, password });
    if (!envelope.data) throw new Error(`${username} cannot sign in: ${envelope.msg}`);
    return testClient(origin, envelope.data.access_token);
  }

  let admin: Promise<TestClient> | undefined;
  return {
    origin,
    db: database.db,
    database,
    config,
    anonymous,
    admin: () => (admin ??= as(config.adminUsername, config.adminPassword ?? '')),
    site: () => testClient(origin, config.platformApiKey ?? ''),
    as,
    withToken: (token) => testClient(origin, token),
    close: async () => {
      await app.close();
      await connections.destroy();
      if (!shared) await database.drop();
    },
  };
}
