import { Tag } from '../../kit/form/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import '../../parts/betting-rules/betting-rules.css';

interface MarginHintProps {
  readonly margin: string | null;
  /** Says what the figure means, instead of leaving it to the mouse. */
  readonly told?: boolean;
}

/** What a play way leaves the house, as the sum of 1/odds; below 1 the house loses on average, which is said aloud. */
export function MarginHint({ margin, told = false }: MarginHintProps) {
  if (margin === null) return <Absent />;
  // Cut to four places on the server, so that nothing below 1 reads 1.
  const isLoss = Number(margin) < 1;
  const sentence = isLoss
    ? '赔率倒数之和小于 1，平均每注都会亏损，请核对赔率'
    : '赔率倒数之和；比 1 多出的部分是平台的平均盈利';
  return (
    <span className="margin-hint" title={sentence}>
      {isLoss && <Tag tone="bad">亏损</Tag>} Σ1/赔率 {margin}
      {told && `，${sentence}`}
    </span>
  );
}
