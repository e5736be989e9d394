import type { Input } from '#contract/endpoint.ts';
import type { addSpider } from '#contract/spiders.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed } from '#server/db/rows.ts';
import { handlers, ownTransactions } from '#server/http/handler.ts';
import { demandWebUrlIn } from '#server/outbound/fetch-body.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { beaconAfter } from '../draw-plans/beacon.ts';
import { demandDrawOptions, drawMistake } from '../draw-plans/draw-rules.ts';
import { holdResultRule } from '../games/result-rule.ts';
import { optionFieldsOf } from '../result-handlers/option-fields.ts';
import { collectorNamed, collectors } from './collectors/all.ts';
import { localDraw } from './collectors/local-draw.ts';
import { dryRun } from './dry-run.ts';
import { headersMistake } from './request-headers.ts';
import { addressFor, placeholderMistake } from './source-address.ts';
import * as store from './spider-store.ts';

function demandNone(field: string, mistake: string | undefined): void {
  if (mistake) throw wrong(field, mistake);
}

const rulesOf = ({ spiderAllowedHosts }: Config) => ({ allowedHosts: spiderAllowedHosts });

/** Any date and phase will do: neither can be a part of the host. */
const someDraw = { phase: '1', date: '2000-01-01' };

function demandAddress(url: string, config: Config): void {
  demandNone('url', placeholderMistake(url));
  demandWebUrlIn('url', addressFor(url, someDraw) ?? url, rulesOf(config));
}

/** What local draws wait for is asked like any source. */
function demandBeaconAddress(options: string | null, config: Config): void {
  const { beacon } = demandDrawOptions(options);
  if (beacon) demandWebUrlIn('options', beaconAfter(beacon, beacon.genesis).address, rulesOf(config));
}

/** The fields as they are stored. Throws `Refusal` at the field that no collector could work with. */
function checked(config: Config, input: Input<typeof addSpider>): store.SpiderFields {
  const { gameId, name, url = null, spiderServiceName, options = null, remark = null, enabled } = input;
  const { headers = null, pauseMs } = input;
  const collector = collectorNamed(spiderServiceName);
  if (!collector)
    throw new Refusal('collectorUnknown', {
      field: 'spiderServiceName',
      values: { name: spiderServiceName },
    });
  if (collector.fetches && url === null) throw wrong('url', '采集地址不能为空');
  if (url !== null) demandAddress(url, config);
  demandNone('headers', headers === null ? undefined : headersMistake(headers));
  collector.checkOptions?.(options);
  if (collector === localDraw) demandBeaconAddress(options, config);
  return { gameId, name, url, spiderServiceName, options, headers, pauseMs, remark, enabled };
}

/** What a game draws by itself has to be drawn as its rule says; one that is off may wait for another rule. */
async function demandDrawsFit(db: Db, { gameId, spiderServiceName, options, enabled }: store.SpiderFields) {
  if (spiderServiceName !== localDraw.name || !enabled) return;
  demandNone('options', drawMistake(demandDrawOptions(options), await holdResultRule(db, gameId)));
}

export const spidersHandlers = handlers({
  pageSpiders: ({ db }, filter) => store.pageSpiders(db, filter),
  listSpiderServices: () =>
    collectors.map(({ name, desc, fetches, options }) => ({
      ...{ name, desc, fetches },
      options: options ? optionFieldsOf(options) : [],
    })),

  addSpider: async ({ db, config }, input) => {
    const fields = checked(config, input);
    await demandDrawsFit(db, fields);
    return (await added(db, 'spider', fields)).id;
  },

  // It runs anew at once, whatever it had to wait for before.
  updateSpider: async ({ db, config, now }, { id, version, ...input }) => {
    await changed(db, 'spider', { id, version }, async (before) => {
      const fields = checked(config, { ...input, enabled: input.enabled ?? before.enabled });
      await demandDrawsFit(db, fields);
      return { ...fields, nextRunTime: now, consecutiveFailures: 0, answering: true };
    });
    return id;
  },

  // It waits for a source: no transaction may stay open over that.
  dryRunSpider: ownTransactions(async ({ db, config, now, say }, { id }) => {
    const spider = await store.findSpider(db, id);
    if (!spider) throw new Refusal('recordNotFound');
    const results = await dryRun(db, config, spider, now);
    say('试运行完成，没有保存任何结果');
    return results;
  }),
});
