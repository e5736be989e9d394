import { type Readable, Transform, type Writable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ExportFormat, exportFormats, isExportable, PROGRESS_HEADER } from '#contract/export-formats.ts';
import type { Language } from '#contract/language.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import { nameOf, type Piece } from '#server/exports/export-list.ts';
import type { ThreadedExport } from '#server/exports/export-thread.ts';
import { STALLED_MS } from '#server/exports/thread-words.ts';
import type { Call, Services } from './call.ts';
import { recordChange } from './change-record.ts';
import { recordOf } from './context.ts';
import { type Place, ReaderTooSlow } from './export-places.ts';
import { languageOf } from './language.ts';
import { packerFor } from './packing.ts';
import { apiHeaders } from './security-headers.ts';

const READER_GONE = 'the reader of an export went away';

const running = new Set<Readable>();

/** A reason of ours to break an export off; that its reader went away is none. */
class BrokenOff extends Error {
  override name = 'BrokenOff';
}

/** The file format that a request for this list asks for in place of JSON. */
export function exportFormatOf(endpoint: AnyEndpoint, request: FastifyRequest): ExportFormat | undefined {
  const accept = request.headers.accept ?? '';
  if (accept.includes(exportFormats.csv) && isExportable(endpoint)) return 'csv';
  return accept.includes(exportFormats.xlsx) && isExportable(endpoint) ? 'xlsx' : undefined;
}

const FRAMES = 'application/x-frames';

/** What stands before a piece in a frame. */
function headOf({ rows, bytes }: Piece): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(rows, 0);
  head.writeUInt32BE(bytes.length, 4);
  return head;
}

/** An export that has begun: its list on its snapshot, and its place among the others. */
interface Begun {
  readonly list: ThreadedExport;
  readonly place: Place;
  /** Whether whoever asked for it is still signed in, and may still see the list. */
  readonly lives: () => Promise<boolean>;
}

/** Bytes stand in their memory only until the next piece is asked for: where nothing packs them, a copy goes out. */
const copying = () =>
  new Transform({ transform: (bytes: Buffer, _, done) => done(null, Buffer.from(bytes)) });

/** Resolves when `to` is done with the bytes. */
const put = (to: Writable, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => to.write(bytes, (error) => (error ? reject(error) : resolve())));

/**
 * Puts the pieces into what goes out, each as the one before has been taken, so that none is copied: V8 looks through its whole heap for each
 * 64 MB of new bytes. The snapshot ends with them, finished or not.
 */
async function fill(to: Writable, { list, place, lives }: Begun, frames: boolean, alive: () => void) {
  try {
    for await (const piece of list.pieces()) {
      alive();
      if (!(await lives()))
        throw new BrokenOff('its operator is signed out, or may not see the list any more');
      // What a workbook has begun with may still be packed.
      if (piece.bytes.length === 0) continue;
      if (frames) await put(to, headOf(piece));
      await put(to, piece.bytes);
      place.took(piece.bytes.length);
    }
    to.end();
  } catch (error) {
    to.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  list.over();
}

/** How an export ended that did not end well: its reader went away, we broke it off, or it failed. */
function tellEnd({ errored, readableEnded }: Readable, log: FastifyBaseLogger): void {
  if (errored instanceof BrokenOff || errored instanceof ReaderTooSlow)
    log.warn({ reason: errored.message }, 'an export was broken off');
  else if (errored && errorCode(errored) !== 'ERR_STREAM_PREMATURE_CLOSE')
    log.error({ fault: { name: errored.name, code: errorCode(errored) } }, 'an export failed half way');
  else if (!readableEnded) log.info({}, READER_GONE);
}

/** Sends what was begun through `stream`. */
function sendThrough(stream: Transform, begun: Begun, frames: boolean, log: FastifyBaseLogger): void {
  const { list, place } = begun;
  const stalled = setTimeout(() => stream.destroy(new BrokenOff('nobody reads it')), STALLED_MS);
  running.add(stream);
  place.onGivenUp((reason) => stream.destroy(reason));
  stream.once('close', () => {
    clearTimeout(stalled);
    running.delete(stream);
    place.leave();
    tellEnd(stream, log);
    list.over();
  });
  void fill(stream, begun, frames, () => stalled.refresh());
}

type May = (operator: SignedIn) => boolean;

/** The file that is asked for. */
interface Wanted {
  readonly format: ExportFormat;
  readonly language: Language;
}

async function begin(services: Services, call: Call, wish: Wanted, may: May): Promise<Begun> {
  const { name, input, operator, now, address, agent } = call;
  const { sessionId } = operator;
  const place = await services.exports.take(operator.id);
  try {
    const list = await services.reads.snapshot((url, wanted) =>
      services.exportThread.begin({
        ...wish,
        call: name,
        input,
        url,
        wanted,
        sessionId,
        now,
        address,
        agent,
      }),
    );
    return { list, place, lives: services.sessions.watch(sessionId, may) };
  } catch (error) {
    place.leave();
    throw error;
  }
}

/** A moment on the platform's clock, in digits only: what a file is named after is what its rows are dated by. */
const stampOf = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(moment)
    .replace(/\D/g, '');

/** Answers a list as a file: the whole of it, streamed, and written down in the record like a change. */
export async function sendExport(
  services: Services,
  call: Call,
  format: ExportFormat,
  { request, reply, may }: { request: FastifyRequest; reply: FastifyReply; may: May },
): Promise<FastifyReply> {
  const language = languageOf(request);
  const begun = await begin(services, call, { format, language }, may);
  const { list, place } = begun;
  const name = nameOf(call.endpoint);
  const noted = { ...call, endpoint: { ...call.endpoint, summary: `导出${name}` } };
  try {
    await recordChange(services.db, recordOf(noted, {}, 'SUCCESS', `共 ${list.total} 行`));
  } catch (error) {
    place.leave();
    list.over();
    throw error;
  }
  // It may have gone while it stood in line, and nothing can be sent to nobody.
  if (request.raw.socket.destroyed) {
    place.leave();
    list.over();
    request.log.info({}, READER_GONE);
    return reply.hijack();
  }
  const frames = request.headers[PROGRESS_HEADER] !== undefined;
  const called = nameOf(call.endpoint, language).replaceAll('/', '-');
  const file = encodeURIComponent(`${called}-${stampOf(call.now, services.config.timeZone)}.${format}`);
  // A workbook is packed already.
  const packed = format === 'xlsx' ? undefined : packerFor(request.headers['accept-encoding']);
  const stream = packed?.packer ?? copying();
  sendThrough(stream, begun, frames, request.log);
  return reply
    .headers({
      ...apiHeaders,
      vary: 'accept-encoding',
      ...(packed ? { 'content-encoding': packed.encoding } : {}),
      'content-type': frames ? FRAMES : `${exportFormats[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="export.${format}"; filename*=UTF-8''${file}`,
      [PROGRESS_HEADER]: String(list.total),
    })
    .send(stream);
}

/** When the server stops, files that are not done break off, which their readers see. */
export function endExportsWith(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    for (const stream of running) stream.destroy(new BrokenOff('the server stops'));
  });
}
