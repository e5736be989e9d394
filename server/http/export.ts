import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type ExportFormat, exportFormats, isExportable, PROGRESS_HEADER } from '#contract/export-formats.ts';
import type { SignedIn } from '#server/access/signed-in.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import { nameOf, type Piece } from '#server/exports/export-list.ts';
import type { ThreadedExport } from '#server/exports/export-thread.ts';
import { STALLED_MS } from '#server/exports/thread-words.ts';
import { recordChange } from './change-record.ts';
import { recordOf } from './context.ts';
import type { Call, Services } from './execute.ts';
import { type Place, ReaderTooSlow } from './export-places.ts';
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

/** Frames say by their type what is in them: a workbook is packed already, and would only be packed once more on its way. */
const framed = { csv: 'application/x-frames+text', xlsx: 'application/x-frames+zip' } as const;

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

/** The pieces as they go out. The snapshot ends with them, finished or not. */
async function* bodyOf({ list, place, lives }: Begun, frames: boolean, alive: () => void) {
  try {
    for await (const piece of list.pieces()) {
      alive();
      place.took(piece.bytes.length);
      if (!(await lives()))
        throw new BrokenOff('its operator is signed out, or may not see the list any more');
      // What a workbook has begun with may still be packed.
      if (piece.bytes.length === 0) continue;
      // A copy, as a piece stands only until the next is asked for; in one, since each that is sent is packed by itself.
      yield Buffer.concat(frames ? [headOf(piece), piece.bytes] : [piece.bytes]);
    }
  } finally {
    list.over();
  }
}

/** How an export ended that did not end well: its reader went away, we broke it off, or it failed. */
function tellEnd({ errored, readableEnded }: Readable, log: FastifyBaseLogger): void {
  if (errored instanceof BrokenOff || errored instanceof ReaderTooSlow)
    log.warn({ reason: errored.message }, 'an export was broken off');
  else if (errored && errorCode(errored) !== 'ERR_STREAM_PREMATURE_CLOSE')
    log.error({ fault: { name: errored.name, code: errorCode(errored) } }, 'an export failed half way');
  else if (!readableEnded) log.info({}, READER_GONE);
}

function streamOf(begun: Begun, frames: boolean, log: FastifyBaseLogger): Readable {
  const { list, place } = begun;
  const stalled = setTimeout(() => stream.destroy(new BrokenOff('nobody reads it')), STALLED_MS);
  const stream = Readable.from(
    bodyOf(begun, frames, () => stalled.refresh()),
    { objectMode: false, highWaterMark: 262_144 },
  );
  running.add(stream);
  place.onGivenUp((reason) => stream.destroy(reason));
  stream.once('close', () => {
    clearTimeout(stalled);
    running.delete(stream);
    place.leave();
    tellEnd(stream, log);
    // A stream that nobody ever read has not begun its body, whose end would see to it.
    list.over();
  });
  return stream;
}

type May = (operator: SignedIn) => boolean;

async function begin(services: Services, call: Call, format: ExportFormat, may: May): Promise<Begun> {
  const { name, input, operator, now, address, agent } = call;
  const { sessionId } = operator;
  const place = await services.exports.take();
  try {
    const list = await services.reads.snapshot((url, wanted) =>
      services.exportThread.begin({ call: name, format, input, url, wanted, sessionId, now, address, agent }),
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
  const begun = await begin(services, call, format, may);
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
  const file = encodeURIComponent(`${name}-${stampOf(call.now, services.config.timeZone)}.${format}`);
  return reply
    .headers({
      ...apiHeaders,
      'content-type': frames ? framed[format] : `${exportFormats[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="export.${format}"; filename*=UTF-8''${file}`,
      [PROGRESS_HEADER]: String(list.total),
    })
    .send(streamOf(begun, frames, request.log));
}

/** When the server stops, files that are not done break off, which their readers see. */
export function endExportsWith(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    for (const stream of running) stream.destroy(new BrokenOff('the server stops'));
  });
}
