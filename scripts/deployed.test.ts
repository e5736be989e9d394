import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '#server/config.ts';

const deployed = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../deploy/${name}`, import.meta.url)), 'utf8');
const APP_SECRET = Buffer.alloc(32, 'x').toString('base64');

interface Service {
  environment: Record<string, string>;
  read_only?: boolean;
  logging?: { options: Record<string, string> };
}
interface Compose {
  services: Record<'server' | 'database', Service>;
}

test('the server of the compose file starts with what it is given there, from a root that it does not write', () => {
  const { server } = (parse(deployed('compose.yml')) as Compose).services;
  const secrets: Record<string, string> = { APP_SECRET, OWNER_PASSWORD: 'owner', SERVER_PASSWORD: 'server' };
  const environment = Object.entries(server.environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+):[?-]\}/g, (_, name) => secrets[name] ?? ''),
  ]);
  expect(loadConfig(Object.fromEntries(environment))).toMatchObject({
    databaseUrl: 'postgres://back_office_server:server@database:5432/back_office',
    databaseOwnerUrl: 'postgres://back_office:owner@database:5432/back_office',
  });
  expect(server.read_only).toBe(true);
});

test('no log of the compose file grows for good', () => {
  for (const { logging } of Object.values((parse(deployed('compose.yml')) as Compose).services))
    expect(logging?.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
});

test('the units of a cluster are started again however often they end at once, as before the network is there', () => {
  const units = readdirSync(new URL('../deploy/cluster/units/', import.meta.url));
  expect(units.length).toBe(5);
  for (const unit of units) {
    const [head = '', service = ''] = deployed(`cluster/units/${unit}`).split('[Service]');
    // By itself systemd gives up after five starts within ten seconds.
    expect(head, unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(service, unit).toMatch(/^Restart=always$/m);
  }
});

test('the server of a cluster starts with its file, once its own address and the secret are in it', () => {
  const lines = deployed('cluster/server.env')
    .replaceAll('@SELF@', '10.0.0.21')
    .split('\n')
    .filter((line) => /^\w+=/.test(line));
  const environment = lines.map((line) => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1),
  ]);
  expect(loadConfig({ ...Object.fromEntries(environment), APP_SECRET })).toMatchObject({
    host: '10.0.0.21',
    databaseUrl: 'postgres://back_office_server:change-me@10.0.0.21:6432/back_office?prepare=false',
    databaseReplicaUrl: 'postgres://back_office_server:change-me@10.0.0.21:5001/back_office',
    trustedProxies: ['10.0.0.0/24'],
  });
});

test('the entrance of a cluster waits for the head of a request no longer than its servers do', () => {
  const site = /^frontend site\n((?: +.*\n)+)/m.exec(deployed('cluster/haproxy.cfg'))?.[1] ?? '';
  expect(site).toMatch(/^ +timeout http-request 9s$/m);
  // Or those that are kept alive would be cut as soon.
  expect(site).toMatch(/^ +timeout http-keep-alive 60s$/m);
});

test('neither an image, whoever builds it, nor the repository takes a secret of this folder with it', () => {
  const ignored = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').split('\n');
  // Docker reads no .containerignore; buildah and podman read this where that is not there.
  expect(ignored('.dockerignore')).toEqual(
    expect.arrayContaining(['.git', 'data', 'node_modules', '**/.env']),
  );
  expect(ignored('.gitignore')).toEqual(expect.arrayContaining(['/data', '.env']));
});
