import type { Config } from '#server/config.ts';
import { type Fetched, fetchBody } from '#server/outbound/fetch-body.ts';
import type { DrawnResult } from '../draw-records/drawn-result.ts';
import { collectorNamed } from './collectors/all.ts';
import { SourceUnreadable } from './collectors/drawn-result.ts';
import type { DueSource } from './due-sources.ts';
import { readSource } from './read-source.ts';
import type { SpiderRow } from './spider-store.ts';

/** Said where the address wants a phase and there is none to ask for. */
export const NO_PHASE = '游戏还没有开始开奖的期次，采集地址中的 {phase} 没有期号可用';

/** Said of an answer in good order that holds no draw: by a run, and by a trial. */
export const NO_DRAWS = '来源没有给出任何开奖结果';

function demandGood({ status }: Fetched): void {
  if (status < 200 || status > 299) throw new SourceUnreadable(`来源返回 HTTP ${status}`);
}

/** What a source answers now; its host's turn must have been taken. Throws with a Chinese sentence. */
export async function fetchSource(config: Config, source: Omit<DueSource, 'spiders'>): Promise<Fetched> {
  const { address, headers } = source;
  if (address === null) throw new SourceUnreadable(NO_PHASE);
  const fetched = await fetchBody(address, { allowedHosts: config.spiderAllowedHosts }, { headers });
  demandGood(fetched);
  return fetched;
}

type Reader = Pick<SpiderRow, 'spiderServiceName' | 'options'>;

/** Reads one body for one spider after the other; those that read it in the same way share the reading. */
export function readerOf({ timeZone }: Config) {
  const readings = new Map<string, Promise<DrawnResult[]>>();
  return ({ contentType, body }: Fetched, { spiderServiceName, options }: Reader): Promise<DrawnResult[]> => {
    const key = JSON.stringify([spiderServiceName, options]);
    const collector = collectorNamed(spiderServiceName)?.name ?? '';
    const reading = readings.get(key) ?? readSource({ collector, contentType, body, options, timeZone });
    readings.set(key, reading);
    return reading;
  };
}
