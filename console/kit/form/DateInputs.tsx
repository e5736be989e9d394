import { DatePicker } from 'antd';
import { useMemo, useState } from 'react';
import { platformZone } from '../call/platform-zone.ts';
import { serverNow } from '../call/server-clock.ts';
import { Antd } from '../overlay/Antd.tsx';
import { datePresets } from './date-presets.ts';
import { formatWall, parseWall, wallCalendar } from './wall-calendar.ts';

const Picker = DatePicker.generatePicker<Date>(wallCalendar);
const MOMENT = 'YYYY-MM-DD HH:mm:ss';
const DAY = 'YYYY-MM-DD';
const CLOCK = 'HH:mm:ss';

export interface DateInputProps {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const preset = ({ label, range: [from, to] }: ReturnType<typeof datePresets>[number]) => ({
  label,
  value: [parseWall(from) ?? wallCalendar.getNow(), parseWall(to) ?? wallCalendar.getNow()] as [Date, Date],
});

const currentPresets = () => datePresets(serverNow(), platformZone()).map(preset);

/** Moments as the pickers take them. Others, though the same, would make a picker forget what is half typed in it. */
function useMoments(value: unknown): [Date | null, Date | null] {
  const [from, to] = Array.isArray(value) ? value : [value];
  return useMemo(() => [parseWall(from), parseWall(to)], [from, to]);
}

/** Two moments: one key sent twice. The presets count the platform's days; a second click on a day picks to the second. */
export function RangeInput({ id, label, value, onChange }: DateInputProps) {
  // Counted when it opens: today is today also on a page left open over midnight.
  const [presets, setPresets] = useState(currentPresets);
  const dayEnds: [Date, Date] = [
    wallCalendar.getFixedDate('00:00:00'),
    wallCalendar.getFixedDate('23:59:59'),
  ];
  const range = useMoments(value);
  return (
    <Antd>
      <Picker.RangePicker
        id={{ start: id, end: `${id}-end` }}
        aria-label={label}
        className="field-range"
        showTime={{ format: CLOCK, defaultOpenValue: dayEnds }}
        format={MOMENT}
        presets={presets}
        onOpenChange={(open) => open && setPresets(currentPresets())}
        value={range}
        onChange={(dates) => onChange(dates?.map((date) => (date ? formatWall(date, MOMENT) : '')) ?? '')}
      />
    </Antd>
  );
}

/** Two days: one key sent twice. */
export function DaysInput({ id, label, value, onChange }: DateInputProps) {
  const [presets, setPresets] = useState(currentPresets);
  const range = useMoments(value);
  return (
    <Antd>
      <Picker.RangePicker
        id={{ start: id, end: `${id}-end` }}
        aria-label={label}
        className="field-range"
        format={DAY}
        presets={presets}
        onOpenChange={(open) => open && setPresets(currentPresets())}
        value={range}
        onChange={(dates) => onChange(dates?.map((date) => (date ? formatWall(date, DAY) : '')) ?? '')}
      />
    </Antd>
  );
}

export function MomentInput({ id, value, onChange }: DateInputProps) {
  const [moment] = useMoments(value);
  return (
    <Antd>
      <Picker
        id={id}
        className="field-wide"
        showTime
        format={MOMENT}
        value={moment}
        onChange={(date: Date | null) => onChange(date ? formatWall(date, MOMENT) : '')}
      />
    </Antd>
  );
}

export function ClockInput({ id, value, onChange }: DateInputProps) {
  const [moment] = useMoments(value);
  return (
    <Antd>
      <Picker.TimePicker
        id={id}
        className="field-wide"
        format={CLOCK}
        value={moment}
        onChange={(date: Date | null) => onChange(date ? formatWall(date, CLOCK) : '')}
      />
    </Antd>
  );
}
