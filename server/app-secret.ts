import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { errorCode } from './db/driver/outage.ts';
import { tryDataFolder, unusable } from './embedded-postgres/data-folder.ts';

export const SECRET_BYTES = 32;

/** Base64 with or without padding; anything else gives no bytes. */
export function decodeSecret(value: string): Buffer {
  const bytes = Buffer.from(value, 'base64');
  const same = bytes.toString('base64').replace(/=+$/, '') === value.trim().replace(/=+$/, '');
  return same ? bytes : Buffer.alloc(0);
}

/** Makes the file where it is not there. */
function makeSecret(file: string, dataDir: string): void {
  if (existsSync(file)) return;
  // First, so that a full disk leaves no empty file in the secret's place.
  tryDataFolder(dataDir);
  try {
    writeFileSync(file, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another start may have been faster: its secret is everybody's.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function secretText(file: string, dataDir: string): string {
  try {
    makeSecret(file, dataDir);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(unusable(dataDir, error));
  }
}

/** The file that keeps APP_SECRET in embedded mode; made on the first start, readable by its owner only. */
export function keptSecret(dataDir: string): Buffer {
  const file = resolve(dataDir, 'app-secret');
  // A new one beside a database that another one sealed would open nothing of it.
  if (!existsSync(file) && existsSync(resolve(dataDir, 'postgres')))
    throw new ConfigError(
      `缺少 ${file}（加密内置数据库的密钥）：请从备份恢复该文件，或用环境变量 APP_SECRET 给出原来的密钥；密钥确已丢失时见 docs/operations.md`,
    );
  const secret = decodeSecret(secretText(file, dataDir).trim());
  if (secret.length !== SECRET_BYTES)
    throw new ConfigError(`${file} 已损坏，请从备份恢复，或用环境变量 APP_SECRET 给出原来的密钥`);
  return secret;
}
