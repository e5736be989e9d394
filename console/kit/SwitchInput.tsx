import { lazy } from 'react';
import type { InputProps } from './field-spec.ts';

const Switch = lazy(() => import('antd').then((antd) => ({ default: antd.Switch })));

/** For text that is `true` or `false`. */
export const SwitchInput = ({ id, value, onChange }: InputProps) => (
  <Switch
    id={id}
    checked={value === 'true'}
    checkedChildren="开"
    unCheckedChildren="关"
    onChange={(on) => onChange(String(on))}
  />
);
