import { Switch } from 'antd';
import { Antd } from '../overlay/Antd.tsx';
import type { InputProps } from './field-spec.ts';

/** The switch itself, in a part of its own: no list waits for it. */
export const SwitchFace = ({ id, value, onChange }: InputProps) => (
  <Antd>
    <Switch
      id={id}
      checked={value === 'true'}
      checkedChildren="开"
      unCheckedChildren="关"
      onChange={(on) => onChange(String(on))}
    />
  </Antd>
);
