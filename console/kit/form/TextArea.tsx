import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import './input.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Lines of text: grows with them from 2 to 20 rows. antd's own measures by inline styles, which the page's policy forbids. */
export function TextArea({ value, onChange, ...rest }: TextAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  // Set through the style engine, anew with each text; the least and the most are in the style sheet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height.
  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight + current.offsetHeight - current.clientHeight}px`;
  }, [value]);
  return (
    <textarea
      rows={2}
      {...rest}
      ref={area}
      className="input input-area"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
