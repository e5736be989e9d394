import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listRoles } from '#contract/roles.ts';
import { connectionsOver } from '#server/db/connections.ts';
import { startDatabaseClock } from '#server/db/database-clock.ts';
import { startJobs } from '#server/jobs/start.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

// The files of deploy/observation against what a server with a replica and all its background work really tells.

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

const fileOf = (name: string): string =>
  readFileSync(new URL(`../../deploy/observation/${name}`, import.meta.url), 'utf8');
const groups: { rules: Rule[] }[] = parse(fileOf('alerts.yml')).groups;
const rules = groups.flatMap((group) => group.rules);
const dashboard: { panels: Panel[] } = JSON.parse(fileOf('dashboard.json'));
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');

/** What Grafana puts in the places of its own words. */
const filledIn = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...graphs.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, filledIn(expr)] as const)),
];

/** What Prometheus adds itself, or tells of its own. */
const ownLabels = ['instance', 'job'];
const ownMetric = 'up';

interface Selector {
  metric: string;
  labels: [name: string, operator: string, value: string][];
}

/** Every metric that a query reads, with what it demands of its labels, and the labels that it groups by. Throws where it cannot be read. */
function readQuery(text: string): { selectors: Selector[]; groupings: string[] } {
  const selectors: Selector[] = [];
  const groupings: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, type, from, to, node }) => {
      const said = text.slice(from, to);
      if (type.isError) throw new Error(`cannot be read at ${from}: ${text}`);
      if (name === 'VectorSelector') {
        const metric = node.getChild('Identifier');
        selectors.push({ metric: metric ? text.slice(metric.from, metric.to) : '', labels: [] });
      }
      const parts = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(said);
      if (name === 'UnquotedLabelMatcher' && parts)
        selectors.at(-1)?.labels.push([parts[1] ?? '', parts[2] ?? '', parts[3] ?? '']);
      if (name === 'GroupingLabels') groupings.push(...(said.match(/\w+/g) ?? []));
    },
  });
  return { selectors, groupings };
}

/** The values of every label of every metric, as the server tells them. */
const told = new Map<string, Map<string, Set<string>>>();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ databaseReplicaUrl: 'postgres://nobody@127.0.0.1:1/none' });
  const { config, database, db } = server;
  const clock = await startDatabaseClock(db);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  // All parts, of which nothing but their names is looked at.
  const jobs = startJobs({ connections: connectionsOver(db, database.url), config, log, clock });
  await (await server.admin()).call(listRoles, {});
  const { text } = await rawRequest(server.origin, { path: '/metrics' });
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = told.get(name) ?? new Map<string, Set<string>>();
    told.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  await jobs.stop();
  clock.stop();
});
afterAll(() => server.close());

describe('the alert rules', () => {
  it('have names of their own, a wait, a severity and words for who is called', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      expect(rule.for, rule.alert).toMatch(/^\d+[smh]$/);
      expect(['critical', 'warning'], rule.alert).toContain(rule.labels.severity);
      expect(rule.annotations.summary, rule.alert).toMatch(/\p{Script=Han}/u);
      expect(rule.annotations.description, rule.alert).toMatch(/\p{Script=Han}/u);
    }
  });

  it('watch every figure of the features', () => {
    const read = rules.flatMap(({ expr }) => readQuery(expr).selectors.map(({ metric }) => metric));
    for (const name of [
      'draw_alarms',
      'draw_lateness_seconds',
      'queue_age_seconds',
      'chain_unsealed_seconds',
    ])
      expect(read).toContain(name);
  });

  it('call every part to account for as long as it is in trouble, each by its own patience', () => {
    const ofParts = rules.filter(({ expr }) => /background_(trouble|overdue)/.test(expr));
    expect(ofParts.map(({ expr }) => expr)).toContain('background_trouble > 0');
    // A number of seconds that is too long for draws is not for what takes hours.
    const limits = ofParts.flatMap(({ expr }) =>
      readQuery(expr)
        .selectors.filter(({ metric }) => metric === 'background_overdue_seconds')
        .map(({ labels }) => labels.find(([label]) => label === 'part')?.[1]),
    );
    expect(limits).toEqual(['=~']);
  });
});

describe('the handbook of operation', () => {
  const handbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const tableUnder = (heading: string): string =>
    handbook.split(`### ${heading}\n`)[1]?.split(/\n#/)[0] ?? '';

  it('says of every alert what to look at, and of no other', () => {
    const rows = [...tableUnder('告警').matchAll(/^\| (`[^|]+) \| ([^|]{8,}) \|$/gm)];
    const named = rows.flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
    expect(named.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  it('tells of every warning and error of the log', () => {
    const files = readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((file) => /\.ts$/.test(file) && !/\.(test|fault)\.ts$|^(testing|faults)\//.test(file))
      .map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
    const telling =
      /(?:\b(?:log|to|app|services|request)\b[\w.?]*\.(?:warn|error)|tellingNews|\btell)\([^;]*?,\s*'([a-zA-Z][^']{3,})',?\s*\)/g;
    const messages = new Set(
      sources.flatMap((text) => [...text.matchAll(telling)].map(([, said = '']) => said)),
    );
    expect(messages.size).toBeGreaterThan(15);
    const log = tableUnder('日志');
    for (const message of messages) expect(log).toContain(`\`${message}\``);
  });
});

describe('every expression of rules and dashboard', () => {
  it.each(expressions)('%s: %s', (_title, expr) => {
    const { selectors, groupings } = readQuery(expr);
    expect(selectors).not.toEqual([]);
    const known = new Set<string>(ownLabels);
    for (const { metric, labels } of selectors) {
      if (metric === ownMetric || metric.startsWith('patroni_')) continue;
      const values = told.get(metric);
      expect([...told.keys()]).toContain(metric);
      for (const label of values?.keys() ?? []) known.add(label);
      for (const [label, operator, value] of labels) {
        if (!ownLabels.includes(label)) expect([...(values?.keys() ?? [])], metric).toContain(label);
        // What is named is there; numbers of failures come when something fails.
        const named = operator === '=' || operator === '=~' ? value.split('|') : [];
        for (const one of named)
          if (!/[.*]/.test(one)) expect([...(values?.get(label) ?? [])], label).toContain(one);
      }
    }
    for (const label of groupings) expect([...known]).toContain(label);
  });

  const patroni = '/usr/lib/python3/dist-packages/patroni/api.py';
  it.skipIf(!existsSync(patroni))('names what Patroni tells as Patroni does', () => {
    const source = readFileSync(patroni, 'utf8');
    const metrics = expressions.flatMap(([, expr]) => readQuery(expr).selectors.map(({ metric }) => metric));
    const ofPatroni = metrics.filter((metric) => metric.startsWith('patroni_'));
    expect(ofPatroni).not.toEqual([]);
    for (const metric of ofPatroni) expect(source).toContain(`# TYPE ${metric} `);
  });

  it('leaves out nothing that the server tells of itself', () => {
    const read = new Set(
      expressions.flatMap(([, expr]) => readQuery(expr).selectors.map(({ metric }) => metric)),
    );
    const base = (name: string): string => name.replace(/_(bucket|count|sum)$/, '');
    const shown = new Set([...read].map(base));
    const unseen = [...told.keys()].map(base).filter((name) => !shown.has(name));
    const notOurs = /^(process|nodejs)_|^background_last_failure_timestamp_seconds$/;
    expect(unseen.filter((name) => !notOurs.test(name))).toEqual([]);
  });
});

it('calls are measured by their names', () => {
  expect([...(told.get('http_request_duration_seconds_count')?.get('call') ?? [])]).toContain('listRoles');
});
