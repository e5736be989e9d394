import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeBody } from './decode-body.ts';
import { fetchBody } from './fetch-body.ts';
import { demandPublicHost, type Lookup } from './public-host.ts';

let canary: Server;
let port: number;
let hits = 0;
let answer: RequestListener;
beforeAll(async () => {
  canary = createServer((request, response) => answer(request, response));
  canary.on('connection', () => {
    hits++;
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});
beforeEach(() => {
  hits = 0;
  answer = (_request, response) => response.end('{"ok":true}');
});

const resolvesTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const allowing = () => ({ allowedHosts: [`127.0.0.1:${port}`, `feed.internal:${port}`] });

const literals = [
  'http://127.0.0.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://127.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://localhost:PORT/',
  'http://10.0.0.1:PORT/',
  'http://172.16.0.1:PORT/',
  'http://192.168.1.1:PORT/',
  'http://100.64.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00::1]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fec0::1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://198.18.0.1:PORT/',
  'http://224.0.0.1:PORT/',
  'http://255.255.255.255:PORT/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/',
  'http://user:secret@127.0.0.1:PORT/',
  'http://example.com:25/',
  'http://example.com:22/',
  'http:///',
  'no address at all',
];

describe('what a collector may reach', () => {
  it.each(literals)('never %s', async (address) => {
    const rules = { allowedHosts: [] };
    await expect(fetchBody(address.replace('PORT', String(port)), rules)).rejects.toMatchObject({
      name: 'Refusal',
    });
    expect(hits).toBe(0);
  });

  it.each([
    ['an internal address', ['10.1.2.3']],
    ['a public one mixed with an internal one', ['93.184.216.34', '127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['nothing', []],
  ])('never a name that resolves to %s', async (_what, addresses) => {
    const rules = { allowedHosts: [], lookup: resolvesTo(...addresses) };
    await expect(fetchBody(`http://feed.example:${port}/`, rules)).rejects.toMatchObject({ name: 'Refusal' });
    expect(hits).toBe(0);
  });

  it('connects to the address it checked, not to what the name means a moment later', async () => {
    let asked = 0;
    const lookup: Lookup = async () => {
      asked++;
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
    };
    const fetched = await fetchBody(`http://feed.internal:${port}/`, { ...allowing(), lookup });
    expect(fetched.body.toString()).toBe('{"ok":true}');
    expect(asked).toBe(1);
  });

  it('checks every redirect anew', async () => {
    const named = `http://user:secret@127.0.0.1:${port}/`;
    const targets = ['http://169.254.169.254/', 'file:///etc/passwd', `http://0x7f.1:1/`, named];
    for (const location of targets) {
      answer = (_request, response) => response.writeHead(302, { location }).end();
      await expect(fetchBody(`http://127.0.0.1:${port}/`, allowing())).rejects.toMatchObject({
        name: 'Refusal',
      });
    }
    answer = (request, response) => {
      if (request.url === '/there') response.end('here');
      else response.writeHead(301, { location: '/there' }).end();
    };
    expect((await fetchBody(`http://127.0.0.1:${port}/`, allowing())).body.toString()).toBe('here');
    answer = (_request, response) => response.writeHead(302, { location: '/' }).end();
    hits = 0;
    await expect(fetchBody(`http://127.0.0.1:${port}/`, allowing())).rejects.toThrow('跳转次数过多');
    expect(hits).toBe(6);
  });

  it('tells what it was told to tell to the origin that was named, and to no other that this one leads to', async () => {
    const told: unknown[] = [];
    const other = createServer((request, response) => {
      told.push(['other', request.headers['x-key']]);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    answer = (request, response) => {
      told.push([request.url, request.headers['x-key']]);
      const location = request.url === '/' ? '/there' : `http://${elsewhere}/`;
      response.writeHead(302, { location }).end();
    };
    const allowedHosts = [`127.0.0.1:${port}`, elsewhere];
    const headers = { 'x-key': 'secret' };
    await fetchBody(`http://127.0.0.1:${port}/`, { allowedHosts }, { headers });
    other.close();
    expect(told).toEqual([
      ['/', 'secret'],
      ['/there', 'secret'],
      ['other', undefined],
    ]);
  });

  it('lets a named host and port through, and that port only', async () => {
    expect((await fetchBody(`http://127.0.0.1:${port}/`, allowing())).status).toBe(200);
    await expect(fetchBody(`http://127.0.0.1:${port + 1}/`, allowing())).rejects.toThrow('内部地址');
  });

  it('gives up on what is too large, packed too tightly or too slow', async () => {
    const fetchIt = (limitMs?: number) =>
      fetchBody(`http://127.0.0.1:${port}/`, allowing(), limitMs ? { limitMs } : {});
    answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    };
    await expect(fetchIt()).rejects.toThrow('超过 2 MB');
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    await expect(fetchIt()).rejects.toThrow('压缩内容');
    answer = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(timer));
    };
    await expect(fetchIt(400)).rejects.toThrow('没有响应完毕');
  });

  it.each([
    ['deflate', deflateSync('{"ok":true}'), '{"ok":true}'],
    // Many servers leave its frame out, which browsers take as well.
    ['deflate', deflateRawSync('{"ok":true}'), '{"ok":true}'],
    ['gzip', Buffer.alloc(0), ''],
  ])('unpacks %s of %o', async (encoding, packed, text) => {
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed);
    expect(decodeBody(await fetchBody(`http://127.0.0.1:${port}/`, allowing()))).toBe(text);
  });

  it('follows a redirect to a Chinese path that is sent as it is', async () => {
    const asked: string[] = [];
    answer = (request, response) => {
      asked.push(decodeURI(request.url ?? ''));
      if (request.url !== '/') response.end('到了');
      else response.socket?.end('HTTP/1.1 302 Found\r\nLocation: /开奖\r\nContent-Length: 0\r\n\r\n');
    };
    expect(decodeBody(await fetchBody(`http://127.0.0.1:${port}/`, allowing()))).toBe('到了');
    expect(asked).toEqual(['/', '/开奖']);
  });

  it('says why it does not understand an answer that is none', async () => {
    answer = (_request, response) => void response.socket?.end('HTTP/1.1 200 OK\r\nX: \x01\r\n\r\n');
    const failed = fetchBody(`http://127.0.0.1:${port}/`, allowing());
    await expect(failed).rejects.toThrow('来源的响应不是 HTTP');
  });

  it('counts the time in which an address is looked for, also behind a redirect', async () => {
    const lookup: Lookup = (host) =>
      host === 'feed.internal' ? resolvesTo('127.0.0.1')(host) : new Promise(() => undefined);
    const rules = { ...allowing(), lookup };
    const late = { name: 'FetchFailed', message: '来源在 0.3 秒内没有响应完毕' };
    const began = performance.now();
    await expect(fetchBody('http://slow.example/', rules, { limitMs: 300 })).rejects.toMatchObject(late);
    answer = (_request, response) => response.writeHead(302, { location: 'http://slow.example/' }).end();
    const redirected = fetchBody(`http://feed.internal:${port}/`, rules, { limitMs: 300 });
    await expect(redirected).rejects.toMatchObject(late);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it('unpacks, and reads the charset that the body is in rather than the one it claims', async () => {
    const gb = Buffer.from('<?xml version="1.0" encoding="gb2312"?><xml name="\xbf\xec\xc0\xd6"/>', 'latin1');
    answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/xml; charset=ISO-8859-1', 'content-encoding': 'gzip' })
        .end(gzipSync(gb));
    const fetched = await fetchBody(`http://127.0.0.1:${port}/`, allowing());
    expect(decodeBody(fetched)).toContain('快乐');
    expect(decodeBody({ contentType: 'text/html; charset=gbk', body: Buffer.from('期号') })).toBe('期号');
    // 第…期, and a sign that only GB18030 has, in four bytes.
    const body = Buffer.from('b5daC6DA95 32 82 36'.replaceAll(' ', ''), 'hex');
    for (const contentType of [
      '',
      'text/html',
      'application/json; charset=ISO-8859-1',
      'text/plain; charset=utf-8',
    ])
      expect(decodeBody({ contentType, body })).toBe('第期𠀀');
    const latin = Buffer.from('caf\xe9', 'latin1');
    expect(decodeBody({ contentType: 'text/csv; charset=windows-1252', body: latin })).toBe('café');
  });
});

describe('what mail may reach', () => {
  it('follows the same rule', async () => {
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '::1', '[::1]', 'a/b', 'a@b', ''])
      await expect(demandPublicHost(host, 25, { allowedHosts: [] })).rejects.toMatchObject({
        name: 'Refusal',
      });
    const rules = { allowedHosts: [], lookup: resolvesTo('93.184.216.34') };
    expect(await demandPublicHost('mail.example', 25, rules)).toEqual({
      address: '93.184.216.34',
      family: 4,
      host: 'mail.example',
    });
    expect(await demandPublicHost('localhost', 2525, { allowedHosts: ['localhost:2525'] })).toMatchObject({
      host: 'localhost',
    });
  });
});
