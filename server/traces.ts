import { setTimeout as sleep } from 'node:timers/promises';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { errorCode } from './db/driver/outage.ts';
import type { Statement } from './db/driver/statements.ts';

/** A call or a turn of background work as it is told elsewhere, with its statements. */
export interface Trace {
  readonly heard: (statement: Statement) => void;
  /** Ends it; `failed` says by what kind of fault. */
  end(attributes: Attributes, failed?: string): void;
}

/** What a stop waits for whoever takes the last ones. */
const STOP_MS = 2_000;

/** What sends traces: nothing unless `sendTraces` has begun, and then nothing is loaded and nothing is kept. */
let sender: { readonly tracer: Tracer; readonly ofSpan: (span: Span) => Trace } | undefined;

const epochNow = (): number => performance.timeOrigin + performance.now();
const operationOf = (text: string): string => /[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'SQL';

/** Begins a trace under a name; nothing where traces are not sent, or this one is not among those that are. */
export function beginTrace(name: string, attributes: Attributes): Trace | undefined {
  const span = sender?.tracer.startSpan(name, { attributes });
  return span?.isRecording() ? sender?.ofSpan(span) : undefined;
}

export interface TraceSettings {
  /** Where to, by OTLP over HTTP; `/v1/traces` is put behind it. */
  readonly endpoint: string;
  /** Which part of all traces, from 0 to 1. */
  readonly ratio: number;
}

/** Sends the traces of this process from now on; gives what sends the last ones and ends that. */
export async function sendTraces({ endpoint, ratio }: TraceSettings): Promise<() => Promise<void>> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'lottery-back-office', 'process.pid': process.pid }),
    sampler: new sdk.TraceIdRatioBasedSampler(ratio),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('lottery-back-office');
  const failing = { code: api.SpanStatusCode.ERROR };

  const ofSpan = (span: Span): Trace => {
    const inside = api.trace.setSpan(api.ROOT_CONTEXT, span);
    return {
      heard: ({ text, ms, error }) => {
        const ended = epochNow();
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
        const told = { kind: api.SpanKind.CLIENT, startTime: ended - ms, attributes };
        const child = tracer.startSpan(operationOf(text), told, inside);
        if (error !== undefined)
          child.setStatus(failing).setAttribute('db.response.status_code', errorCode(error));
        child.end(ended);
      },
      end: (attributes, failed) => {
        span.setAttributes(attributes);
        if (failed !== undefined) span.setStatus(failing).setAttribute('error.type', failed);
        span.end();
      },
    };
  };
  const own = { tracer, ofSpan };
  sender = own;
  return async () => {
    if (sender === own) sender = undefined;
    // Whoever takes them may be away, which is no reason to stop later or to fail.
    const late = sleep(STOP_MS, undefined, { ref: false });
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
  };
}
