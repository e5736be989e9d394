import { Select } from 'antd';
import { listResultHandlers } from '#contract/bet-latitudes.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import type { InputProps } from '../../kit/form/index.ts';
import './betting-rules.css';

/** Chooses a result handler; each is explained, the chosen one with its parameters below. */
export function HandlerFace({ id, value, onChange }: InputProps) {
  const { data: handlers = [] } = useEndpoint(listResultHandlers, {}, { loading: false });
  const chosen = handlers.find(({ name }) => name === value);
  return (
    <>
      <Select<string, { value: string; label: string; sentence: string }>
        id={id}
        className="field-select"
        value={typeof value === 'string' && value !== '' ? value : null}
        onChange={onChange}
        options={handlers.map(({ name, title, sentence }) => ({
          ...{ value: name, sentence },
          label: `${title}（${name}）`,
        }))}
        optionRender={({ data }) => (
          <span className="handler-option">
            {data.label}
            <small>{data.sentence}</small>
          </span>
        )}
        placeholder="请选择"
        aria-description={chosen?.title}
        showSearch={{ optionFilterProp: 'label' }}
      />
      {chosen && <p className="handler-sentence">{chosen.sentence}</p>}
    </>
  );
}
