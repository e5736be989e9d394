import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsType, init, use as withParts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import './chart.css';

withParts([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

export interface ChartSeries {
  readonly name: string;
  readonly kind: 'bar' | 'line';
  /** One of the console's colours, by its variable. */
  readonly colour: string;
  /** Exact, as they are told; bars and points stand where floating point has them. */
  readonly values: readonly string[];
  /** How a value is written: as money, or as a count. */
  readonly said: (value: string) => string;
  /** Told the key of the bar that was clicked. */
  readonly onPick?: (key: string) => void;
}

interface ChartProps {
  readonly title: string;
  /** What bars and points stand over, such as days, and the words for them; the keys themselves unless told. */
  readonly keys: readonly string[];
  readonly words?: readonly string[];
  readonly series: readonly ChartSeries[];
  /** What the chart says to whoever does not see it. */
  readonly says: string;
}

const colourOf = (() => {
  // The variables hold light-dark(…), which only a real element resolves.
  const probe = document.createElement('span');
  probe.hidden = true;
  return (variable: string): string => {
    if (!probe.isConnected) document.body.append(probe);
    probe.style.color = `var(${variable})`;
    return getComputedStyle(probe).color;
  };
})();

const LONGEST_LABEL = 12;
/** As much of a name as leaves room for others; what is pointed at tells it whole. */
const shortened = (word: string): string =>
  word.length > LONGEST_LABEL ? `${word.slice(0, LONGEST_LABEL - 1)}…` : word;

function optionOf({ keys, words = keys, series }: ChartProps) {
  const ink = colourOf('--ink-soft');
  const line = { lineStyle: { color: colourOf('--line-strong') } };
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    grid: { left: 8, right: 12, top: 36, bottom: 4, containLabel: true },
    legend: { top: 0, right: 0, itemWidth: 12, itemHeight: 8, textStyle: { color: ink } },
    // Drawn on the canvas: as HTML it would need inline styles, which the page forbids.
    tooltip: { trigger: 'axis' as const, renderMode: 'richText' as const },
    xAxis: {
      type: 'category' as const,
      data: [...words],
      axisLine: line,
      axisTick: { show: false },
      axisLabel: { color: ink, formatter: shortened },
    },
    yAxis: {
      type: 'value' as const,
      axisLabel: { color: ink },
      splitLine: { lineStyle: { color: colourOf('--line') } },
    },
    series: series.map(({ name, kind, colour, values, said }) => ({
      name,
      type: kind,
      data: values.map(Number),
      tooltip: { valueFormatter: (_: unknown, at: number) => said(values[at] ?? '') },
      itemStyle: { color: colourOf(colour) },
      barMaxWidth: 14,
      showSymbol: false,
    })),
  };
}

/** Bars and lines over days or other groups, drawn anew whenever the figures or the width change. */
export function Chart(props: ChartProps) {
  const { title, keys, series, says } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(null);

  useEffect(() => {
    if (!place.current) return;
    const drawn = init(place.current);
    chart.current = drawn;
    const watch = new ResizeObserver(() => drawn.resize());
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      drawn.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    chart.current?.setOption(optionOf(props));
    chart.current?.off('click');
    chart.current?.on('click', ({ seriesIndex, dataIndex }) => {
      const key = keys[dataIndex];
      if (key && seriesIndex !== undefined) series[seriesIndex]?.onPick?.(key);
    });
  });

  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div ref={place} role="img" aria-label={`${title}，${says}`} />
    </figure>
  );
}
