import { useState } from 'react';
import { NumberInput, TextArea } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { isOdds, type OddsLine, times } from './odds-table.ts';

interface OddsToolsProps {
  readonly lines: readonly OddsLine[];
  readonly onEnter: (odds: ReadonlyMap<number, string>) => void;
  readonly onPaste: (text: string) => void;
}

/** Fills many lines at once: from a pasted table, or by multiplying what is there. */
export function OddsTools({ lines, onEnter, onPaste }: OddsToolsProps) {
  const [text, setText] = useState('');
  const [factor, setFactor] = useState('');
  const multiply = () => {
    const known = lines.filter(({ odds }) => isOdds(odds));
    onEnter(new Map(known.map(({ numberId, odds }) => [numberId, times(odds, factor)])));
  };
  return (
    <div className="odds-tools">
      <TextArea
        aria-label="粘贴赔率"
        placeholder="从表格粘贴，每行“号码 赔率”；只有赔率的一列按下表的顺序填入；也可以直接粘贴到下面的格子里"
        value={text}
        onChange={setText}
      />
      <Button onClick={() => text.trim() !== '' && onPaste(text)}>填入</Button>
      <NumberInput aria-label="倍数" placeholder="倍数，如 0.98" value={factor} onChange={setFactor} />
      <Button aria-disabled={!isOdds(factor)} onClick={() => isOdds(factor) && multiply()}>
        全部相乘
      </Button>
    </div>
  );
}
