import { useState } from 'react';
import { type Explained, Explanation } from '#contract/explanations.ts';
import { wordOf } from '#contract/fields.ts';
import { Tag, TextInput } from '../../kit/form/index.ts';
import { DetailTable } from '../../kit/list/index.ts';
import { reasonsOf, verdictTones } from './explanation-words.ts';
import './access.css';

const isAbout = ({ title, target, place }: Explanation, words: string): boolean =>
  [title, target, place].some((text) => text.toLowerCase().includes(words.trim().toLowerCase()));

/** What may be done and what not, and why, found by words; what was asked about stands first of all. */
export function ExplainedTargets({
  explained,
  target,
}: {
  explained: Explained;
  target?: string | undefined;
}) {
  const [words, setWords] = useState(target ?? '');
  const [all, setAll] = useState(target !== undefined);
  const found = explained.targets.filter((each) => isAbout(each, words));
  const shown = found.filter(({ kind }) => all || kind !== 'CALL');
  return (
    <>
      {explained.barred.map((why) => (
        <p key={why} role="alert" className="form-error">{`现在不能登录：${why}`}</p>
      ))}
      <div className="explain-search">
        <TextInput
          aria-label="查找页面或接口"
          placeholder="页面、接口或按钮的名称"
          value={words}
          onChange={setWords}
        />
        <label>
          <input type="checkbox" checked={all} onChange={({ target: box }) => setAll(box.checked)} /> 包括接口
        </label>
      </div>
      {shown.length === 0 && <p>没有这样的页面或接口</p>}
      {shown.length > 0 && (
        <DetailTable label="可用与不可用" headings={['类别', '名称', '结论', '为什么']}>
          {shown.map((each) => (
            <tr key={`${each.kind} ${each.target}`}>
              <td>{wordOf(Explanation.shape.kind, each.kind)}</td>
              <td title={each.target}>{`${each.place} / ${each.title}`}</td>
              <td>
                <Tag tone={verdictTones[each.verdict]}>{wordOf(Explanation.shape.verdict, each.verdict)}</Tag>
              </td>
              <td>
                {reasonsOf(each).map((reason) => (
                  <p key={reason} className="explain-reason">
                    {reason}
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </DetailTable>
      )}
    </>
  );
}
