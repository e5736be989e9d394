import { Tag } from '../../kit/form/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import './betting-rules.css';

/** What a bet returns on average; above 1 the house loses, which is said aloud. */
export function ReturnHint({ rate }: { readonly rate: string | null }) {
  if (rate === null) return <Absent />;
  // Rounded up to four places on the server, so that nothing above 1 reads 1.
  const isLoss = Number(rate) > 1;
  const sentence = isLoss
    ? '返还率大于 1，平均每注都会亏损，请核对赔率'
    : '平均每注返还的份额：中奖概率乘赔率，退本金算 1';
  return (
    <span className="margin-hint" title={sentence}>
      {isLoss && <Tag tone="bad">亏损</Tag>} {rate}
    </span>
  );
}
