import type { DatePicker } from 'antd';
import generated from 'antd/es/date-picker/generatePicker/index.js';
import { type ComponentProps, type FocusEvent, type KeyboardEvent, useMemo, useState } from 'react';
import { getConsoleSettings } from '#contract/console-settings.ts';
import { toast } from '../call/notices.ts';
import { calendarToday, reportToday } from '../call/today.ts';
import { useEndpoint } from '../call/use-endpoint.ts';
import { Antd } from '../overlay/Antd.tsx';
import { type Said, saidOf } from '../overlay/FieldError.tsx';
import { datePresets } from './date-presets.ts';
import { isHalf } from './field.ts';
import { completed, formatWall, parseWall, wallCalendar } from './wall-calendar.ts';
import './picker.css';

// From its own file: antd's picker brings a calendar that is not asked here. Its types take it for what Node would make of it.
const generatePicker = generated as unknown as typeof DatePicker.generatePicker;
const Picker = generatePicker<Date>(wallCalendar);
const DaysPicker = generatePicker<Date>({
  ...wallCalendar,
  getNow: () => parseWall(reportToday()) ?? wallCalendar.getNow(),
});
const MOMENT = 'YYYY-MM-DD HH:mm:ss';
const DAY = 'YYYY-MM-DD';
const CLOCK = 'HH:mm:ss';

export interface DateInputProps extends Said {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** One of the two ends of a range, which have one name: what is wrong, which of them it is, and the way to the presets. */
const RangeEnd = ({ 'aria-describedby': wrong, ...props }: ComponentProps<'input'>) => {
  const hint = `${props.id?.endsWith('-end') ? '结束' : '开始'}，按向下键选常用的时间`;
  const hintId = `${props.id}-hint`;
  const said = wrong ? { 'aria-describedby': `${wrong} ${hintId}` } : { 'aria-description': hint };
  return (
    <>
      <input {...props} {...said} />
      {wrong && (
        <span id={hintId} hidden>
          {hint}
        </span>
      )}
    </>
  );
};

const preset = ({ label, range: [from, to] }: ReturnType<typeof datePresets>[number]) => ({
  label,
  value: [parseWall(from) ?? wallCalendar.getNow(), parseWall(to) ?? wallCalendar.getNow()] as [Date, Date],
});

const currentPresets = () => datePresets(calendarToday()).map(preset);

/** Moments as the pickers take them. Others, though the same, would make a picker forget what is half typed in it. */
function useMoments(value: unknown): [Date | null, Date | null] {
  const [from, to] = Array.isArray(value) ? value : [value];
  return useMemo(() => [parseWall(from), parseWall(to)], [from, to]);
}

/** What is said of a picker, which is drawn as wrong by a word of its own. */
const saidAs = (said: Said) => ({ ...saidOf(said), ...(said.invalid ? { status: 'error' as const } : {}) });

type Take = (moment: string, isEnd: boolean) => void;

/**
 * Sees to what stands in a picker's field when it is left or sent: a day alone is completed, and one that is written otherwise is taken for
 * what it says. Whether it is whole then; what is not, the picker gives up.
 */
function isWhole(target: EventTarget, format: string, take: Take, say = true): boolean {
  if (!(target instanceof HTMLInputElement)) return true;
  const { value, id } = target;
  if (value === '' || wallCalendar.locale.parse('', value, [format])) return true;
  const isEnd = id.endsWith('-end');
  const whole = completed(value, format, isEnd);
  if (whole !== undefined) take(whole, isEnd);
  else if (say)
    toast('error', `“${value}”不完整，请写成 ${formatWall(wallCalendar.getNow(), format)} 的格式`);
  return whole !== undefined;
}

/** What pickers share: all that is written or picked counts at once, so that what is seen is what is asked for. */
const whileTyped = (format: string, take: Take) => ({
  onBlur: ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Whoever goes on to the panel picks there.
    isWhole(target, format, take, !relatedTarget?.closest('.ant-picker-dropdown'));
  },
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && !isWhole(event.target, format, take)) event.preventDefault();
  },
});

const components = { input: RangeEnd };

/** What both kinds of ranges share: each end may be left empty on the way, and nothing is sent from one while the other is missing. */
function rangeProps({ id, label, value, onChange, ...said }: DateInputProps, format: string) {
  const ends: unknown[] = Array.isArray(value) ? value : [];
  const { onBlur, onKeyDown } = whileTyped(format, (moment, isEnd) =>
    onChange(isEnd ? [ends[0] ?? '', moment] : [moment, ends[1] ?? '']),
  );
  const onPick = (dates: readonly (Date | null)[] | null) => {
    const texts = dates?.map((date) => (date ? formatWall(date, format) : '')) ?? [];
    onChange(texts.some((text) => text !== '') ? texts : '');
  };
  return {
    ...{ id: { start: id, end: `${id}-end` }, 'aria-label': label, className: 'field-range', format },
    ...{ ...saidAs(said), components },
    ...{ allowEmpty: [true, true] as [boolean, boolean], onBlur, onChange: onPick, onCalendarChange: onPick },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      onKeyDown(event);
      if (event.key === 'Enter' && isHalf(value)) event.preventDefault();
      if (event.key === 'ArrowDown')
        import('./preset-keys.ts').then(
          ({ goToPresets }) => goToPresets(event.target),
          () => undefined,
        );
    },
  };
}

/** Two moments: one key sent twice. The presets count the platform's days; a second click on a day picks to the second. */
export function RangeInput(props: DateInputProps) {
  // Counted when it opens: today is today also on a page left open over midnight.
  const [presets, setPresets] = useState(currentPresets);
  const dayEnds: [Date, Date] = [
    wallCalendar.getFixedDate('00:00:00'),
    wallCalendar.getFixedDate('23:59:59'),
  ];
  const range = useMoments(props.value);
  return (
    <Antd>
      <Picker.RangePicker
        {...rangeProps(props, MOMENT)}
        showTime={{ format: CLOCK, defaultOpenValue: dayEnds }}
        presets={presets}
        onOpenChange={(open) => open && setPresets(currentPresets())}
        value={range}
      />
    </Antd>
  );
}

/** Two days of the report: one key sent twice. It says which day it is now, since its days may begin later than those of the calendar. */
export function DaysInput(props: DateInputProps) {
  const { data, refetch } = useEndpoint(getConsoleSettings, {}, { loading: false, quiet: true });
  const today = reportToday();
  const presets = useMemo(() => datePresets(today).map(preset), [today]);
  const range = useMoments(props.value);
  return (
    <Antd>
      <DaysPicker.RangePicker
        {...rangeProps(props, DAY)}
        presets={presets}
        onOpenChange={(open) => open && void refetch()}
        renderExtraFooter={() =>
          data?.reportDay &&
          `现在是报表的 ${data.reportDay.today}，报表的一天从 ${data.reportDay.dayStart} 开始`
        }
        value={range}
      />
    </Antd>
  );
}

/** What the pickers of one day, moment or time share. */
function useOne({ id, value, onChange, ...said }: DateInputProps, format: string) {
  const [moment] = useMoments(value);
  const onPick = (date: unknown) => onChange(date instanceof Date ? formatWall(date, format) : '');
  return {
    ...{ id, className: 'field-wide', format, value: moment, ...saidAs(said) },
    ...{ ...whileTyped(format, onChange), onChange: onPick, onCalendarChange: onPick },
  };
}

export const MomentInput = (props: DateInputProps) => (
  <Antd>
    <Picker showTime {...useOne(props, MOMENT)} />
  </Antd>
);

/** A day of the report's calendar, by which draws and slips are reckoned. */
export const DayInput = (props: DateInputProps) => (
  <Antd>
    <DaysPicker {...useOne(props, DAY)} />
  </Antd>
);

export const ClockInput = (props: DateInputProps) => (
  <Antd>
    <Picker.TimePicker {...useOne(props, CLOCK)} />
  </Antd>
);
