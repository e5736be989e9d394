import { Refusal } from '#server/refusal.ts';
import { isTdObject, TdError, type TdLibrary, type TdObject } from './td-library.ts';

/** A client as it is used here: whether TDLib knows a request is TDLib's own to say. */
interface BareClient {
  invoke(request: TdObject): Promise<unknown>;
  on(event: 'update' | 'error', listener: (told: unknown) => void): unknown;
}

/** TDLib itself is asked at most this long, in seconds, for news before the wait begins anew. */
const RECEIVE_SECONDS = 1;

const described = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? new TdError(error.code, error.message)
    : error;

let loaded: Promise<TdLibrary> | undefined;

/** Loads TDLib when the first session needs it. Throws `chatLibraryMissing` where its native part is absent. */
export function nativeLibrary(): Promise<TdLibrary> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<TdLibrary> {
  try {
    const [{ default: tdl }, { default: prebuilt }] = await Promise.all([
      import('tdl').then((module) => ({ default: module })),
      import('prebuilt-tdlib').then((module) => ({ default: module })),
    ]);
    // Its own log could name phones; what matters comes back as errors.
    tdl.configure({ tdjson: prebuilt.getTdjson(), verbosityLevel: 0, receiveTimeout: RECEIVE_SECONDS });
    tdl.init();
    return {
      open(onUpdate) {
        const client: BareClient = tdl.createBareClient();
        client.on('update', (update) => {
          if (isTdObject(update)) onUpdate(update);
        });
        client.on('error', () => undefined);
        return {
          ask: (request) =>
            client.invoke(request).then(
              (answer) => {
                if (isTdObject(answer)) return answer;
                throw new Error('TDLib answered what is no object of its own');
              },
              (error: unknown) => {
                throw described(error);
              },
            ),
        };
      },
    };
  } catch {
    throw new Refusal('chatLibraryMissing');
  }
}
