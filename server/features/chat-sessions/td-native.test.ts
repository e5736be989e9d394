import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Refusal } from '#server/refusal.ts';
import { ChatClient } from './chat-client.ts';
import { nativeLibrary } from './td-native.ts';

const library = await nativeLibrary().catch((error: unknown) => {
  if (error instanceof Refusal && error.failure === 'chatLibraryMissing') return undefined;
  throw error;
});

it.skipIf(!library)(
  'the real TDLib waits for a phone number, keeps its folder encrypted, and closes',
  async () => {
    if (!library) return;
    const folder = mkdtempSync(join(tmpdir(), 'tdlib-'));
    const options = { library, folder, apiId: 1, apiHash: '0'.repeat(32), onChange: () => undefined };
    const client = new ChatClient({ ...options, databaseKey: Buffer.alloc(32, 'k') });
    await client.started;
    expect(client.state).toBe('AuthorizationStateWaitPhoneNumber');
    expect(client.hasFailed).toBe(false);
    await client.close();
    expect(client.state).toBe('AuthorizationStateClosed');
    expect(existsSync(join(folder, 'database', 'td.binlog'))).toBe(true);

    const stranger = new ChatClient({ ...options, databaseKey: Buffer.alloc(32, 'x') });
    await stranger.started;
    expect(stranger.detail).toBe('本机保存的登录数据无法解密，请删除该会话后重新添加');
    await stranger.close();
    rmSync(folder, { recursive: true, force: true });
  },
);
