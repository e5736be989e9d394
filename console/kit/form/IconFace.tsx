import { Select } from 'antd';
import { MenuIcon } from '../overlay/MenuIcon.tsx';
import { menuIconNames } from '../overlay/menu-icons.ts';
import type { InputProps } from './field-spec.ts';

/** Chooses an icon by sight; a name the console does not know is kept as it is. */
export function IconFace({ id, value, onChange }: InputProps) {
  const name = typeof value === 'string' && value !== '' ? value : undefined;
  const names = name === undefined || menuIconNames.includes(name) ? menuIconNames : [name, ...menuIconNames];
  return (
    <Select<string, { value: string; label: string }>
      id={id}
      className="field-select"
      value={name ?? null}
      onChange={(next: string | undefined) => onChange(next ?? '')}
      options={names.map((one) => ({ value: one, label: one }))}
      optionRender={(option) => (
        <span>
          <MenuIcon name={String(option.value)} /> {option.label}
        </span>
      )}
      placeholder="请选择"
      showSearch
      aria-description={name}
      allowClear
    />
  );
}
