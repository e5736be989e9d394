import { execFile, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hasBuilders =
  process.getuid?.() === 0 &&
  ['buildah', 'debootstrap'].every((program) => spawnSync(program, ['--version']).error === undefined);
const run = promisify(execFile);
const USER = 10_001;
/** As images with Node have it. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

interface Built {
  readonly config: { readonly Cmd: readonly [string, ...string[]]; readonly Env: readonly string[] };
  readonly user: string;
  readonly health: readonly string[];
}

// No registry is asked: the base is Debian with the Node of this project and the npm of this machine.
describe.skipIf(!hasBuilders)('the image that Containerfile makes', () => {
  let folder: string;
  let postgres: ExternalPostgres;
  let mounted: string;
  let built: Built;
  let program: Program | undefined;

  const buildah = async (...words: string[]): Promise<string> => {
    const store = [
      '--storage-driver',
      'vfs',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
    ];
    const { stdout } = await run('buildah', [...store, ...words], { maxBuffer: 64_000_000, cwd: root });
    return stdout.trim();
  };

  async function makeBase(): Promise<void> {
    const base = join(folder, 'base');
    await run('debootstrap', ['--variant=minbase', 'bookworm', base], { maxBuffer: 64_000_000 });
    cpSync(process.execPath, join(base, 'usr/local/bin/node'));
    const npm = ['/usr/lib/node_modules/npm', '/usr/local/lib/node_modules/npm'].find(existsSync);
    if (!npm) throw new Error('this machine has no npm');
    cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true });
    await run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm')]);
    // The machine's own authorities, so that its registry is believed inside as it is outside.
    const authorities = '/etc/ssl/certs/ca-certificates.crt';
    mkdirSync(join(base, 'etc/ssl/certs'), { recursive: true });
    mkdirSync(join(base, 'usr/local/etc'), { recursive: true });
    if (existsSync(authorities)) {
      cpSync(authorities, join(base, authorities), { dereference: true });
      writeFileSync(join(base, 'usr/local/etc/npmrc'), `cafile=${authorities}\n`);
    }
    const container = await buildah('from', 'scratch');
    await buildah('add', '-q', container, base, '/');
    await buildah('config', '--env', `PATH=${PATH}`, container);
    await buildah('commit', '-q', '--rm', container, 'localhost/base');
    rmSync(base, { recursive: true });
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'back-office-container-'));
    postgres = await externalPostgres();
    await makeBase();
    const words = ['--format', 'docker', '--isolation', 'chroot', '--pull-never', '--layers=false'];
    await buildah(
      'build',
      ...words,
      '--build-arg',
      'BASE=localhost/base',
      '-f',
      'Containerfile',
      '-t',
      'back-office',
      '.',
    );
    const container = await buildah('from', '--pull-never', 'back-office');
    const said = JSON.parse(await buildah('inspect', container)) as {
      Docker: { config: Built['config'] & { User: string; Healthcheck: { Test: string[] } } };
    };
    const { config } = said.Docker;
    built = { config, user: config.User, health: config.Healthcheck.Test };
    mounted = await buildah('mount', container);
  }, 900_000);
  afterAll(async () => {
    await program?.end('SIGTERM');
    if (mounted) await buildah('umount', '--all');
    rmSync(folder, { recursive: true, force: true });
    await postgres?.remove();
  }, 120_000);

  /** Runs a command in the image: as its user, with all of it read-only but for the data folder and /tmp. */
  function inside(command: readonly string[], environment: readonly string[]): [string, ...string[]] {
    const script = [
      'mount --make-rprivate /',
      'mount --bind "$1" "$1"',
      'mount -t proc proc "$1/proc"',
      'mount --rbind /dev "$1/dev"',
      'mount --bind "$2" "$1/data"',
      'mount -t tmpfs tmpfs "$1/tmp"',
      'mount -o remount,ro,bind "$1"',
      'in=$1; shift 2; exec chroot --userspec="$0" "$in" /usr/bin/env -i -C /opt/back-office "$@"',
    ].join(' && ');
    const data = join(folder, 'data');
    return ['unshare', '-m', 'sh', '-c', script, built.user, mounted, data, ...environment, ...command];
  }

  test('is not root, is small, and serves from a root that cannot be written, with the database outside', async () => {
    expect(built.user).toBe(`${USER}:${USER}`);
    mkdirSync(join(folder, 'data'));
    chownSync(join(folder, 'data'), USER, USER);
    const environment = {
      ...programEnvironment,
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      HOST: '127.0.0.1',
    };
    const said = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const variables = [...built.config.Env, ...said];
    await expect(run('unshare', inside(['touch', '/opt/back-office/x'], variables).slice(1))).rejects.toThrow(
      'Read-only file system',
    );
    await run('unshare', inside(['touch', '/data/x'], variables).slice(1));
    expect(readdirSync(join(folder, 'data'))).toEqual(['x']);
    program = await startProgram({}, inside(built.config.Cmd, variables));
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const { envelope } = await testClient(program.origin).call(login, { username, password });
    const client = testClient(program.origin, envelope.data?.access_token);
    expect((await client.call(addRole, { desc: '容器', name: 'in a container' })).envelope.success).toBe(
      true,
    );
    const { envelope: listed } = await client.call(listRoles, { name: 'in a container' });
    expect(listed.data).toHaveLength(1);
    const page = await fetch(`${program.origin}/`);
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('<script'),
    });
    const [kind, ...check] = built.health;
    expect(kind).toBe('CMD');
    const at = `PORT=${new URL(program.origin).port}`;
    await run('unshare', inside(check, [...variables, at]).slice(1));
    await expect(run('unshare', inside(check, [...variables, 'PORT=1']).slice(1))).rejects.toThrow();
    const { stdout } = await run('du', ['-sm', join(mounted, 'opt/back-office')]);
    console.log(`the program takes ${stdout.split('\t')[0]} MB of the image`);
    expect(Number(stdout.split('\t')[0])).toBeLessThan(300);
    expect(program.said.join('\n')).not.toContain('正在构建控制台');
  }, 300_000);
});
