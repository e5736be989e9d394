import {
  addSpider,
  deleteSpider,
  dryRunSpider,
  listSpiderServices,
  pageSpiders,
  pauses,
  type Spider,
  updateSpider,
} from '#contract/spiders.ts';
import { answeredBefore } from '../../kit/call/index.ts';
import {
  CommandButton,
  DeleteButton,
  FormButton,
  type InputProps,
  OptionsInput,
  optionsOf,
  Tag,
} from '../../kit/form/index.ts';
import { Detail, ListScreen } from '../../kit/list/index.ts';
import { fetched, openDialog } from '../../kit/overlay/index.ts';

const DryRunDialog = fetched(() => import('./DryRunDialog.tsx').then((m) => m.DryRunDialog));

const services = optionsOf(listSpiderServices, {
  label: ({ name, desc }) => `${name}（${desc}）`,
  value: 'name',
});
type Entered = Readonly<Record<string, unknown>>;

/** What the chosen collector needs. */
const serviceIn = ({ spiderServiceName }: Entered) =>
  answeredBefore(listSpiderServices, {})?.find(({ name }) => name === spiderServiceName);
const fetches = (entered: Entered) => serviceIn(entered)?.fetches ?? true;

const fields = [
  'gameId',
  'name',
  {
    field: 'url',
    help: '占位符',
    when: fetches,
    hint: () =>
      '可含 {phase}（等待结果的期号）与 {date}（该期开奖的日期，如 2026-01-20，零点开奖算前一天；{date:yyyyMMdd} 为 20260120）；没有期次在等待时取最近开奖的一期',
  },
  { field: 'spiderServiceName', help: '采集器', options: services },
  {
    field: 'options',
    help: '采集选项',
    when: (entered: Entered) => serviceIn(entered)?.options.length !== 0,
    input: (props: InputProps) => <OptionsInput {...props} fields={serviceIn(props.values)?.options} />,
  },
  {
    field: 'headers',
    help: '请求头',
    when: fetches,
    hint: () => '每行一个，如 Referer: https://example.com/；只发往上面的主机',
  },
  {
    field: 'pauseMs',
    help: '最短间隔',
    when: fetches,
    hint: () =>
      `向同一主机发出两次请求之间至少隔多久，${pauses.min} 至 ${pauses.max}；该主机的各个采集中最长的一个对全体有效`,
  },
  'remark',
  'enabled',
] as const;

const actions = (spider: Spider) => (
  <>
    {spider.url !== null && (
      <CommandButton
        endpoint={dryRunSpider}
        input={{ id: spider.id }}
        onDone={(results) => openDialog(<DryRunDialog name={spider.name} results={results} />)}
      >
        试运行
      </CommandButton>
    )}
    <FormButton endpoint={updateSpider} fields={fields} initial={spider} width={640}>
      编辑
    </FormButton>
    <DeleteButton endpoint={deleteSpider} input={{ id: spider.id }} what={`采集“${spider.name}”`} />
  </>
);

/** How a spider's runs went, and what it is told. */
const SpiderDetail = (spider: Spider) => (
  <Detail
    parts={[
      ['采集地址', spider.url],
      ['采集选项', spider.options],
      ['请求头', spider.headers],
      ['最短间隔', `${spider.pauseMs} 毫秒`],
      ['最近采集时间', spider.lastRunTime],
      ['最近成功时间', spider.lastSuccessTime],
      ['连续失败次数', String(spider.consecutiveFailures)],
      ['最近错误', spider.lastError],
    ]}
  />
);

const Failures = ({ consecutiveFailures: n }: Spider) => (n > 0 ? <Tag tone="bad">{n}</Tag> : n);

/** Where draw results come from. */
export function SpiderScreen() {
  return (
    <ListScreen
      endpoint={pageSpiders}
      search={['gameId', 'name', 'enabled', 'failing']}
      columns={[
        { field: 'gameId', width: 92 },
        { field: 'name', width: 80 },
        { field: 'url', width: 90 },
        { field: 'spiderServiceName', width: 126 },
        { field: 'remark', width: 56 },
        { field: 'enabled', width: 72 },
        { field: 'consecutiveFailures', label: '连续失败', width: 74, render: Failures },
        { field: 'lastError', width: 84 },
        { field: 'lastRunTime', label: '最近采集' },
        { field: 'lastSuccessTime', label: '最近成功' },
      ]}
      toolbar={
        <FormButton endpoint={addSpider} fields={fields} initial={{ enabled: true }} width={640}>
          新增
        </FormButton>
      }
      rowActions={actions}
      expand={SpiderDetail}
    />
  );
}
