import { type ComponentProps, createContext, use } from 'react';
import './button.css';

/** How buttons look where they stand: at the head of a list, in a row, in a popup, in what a dialog says of its row, anywhere else. */
export type Place = 'toolbar' | 'row' | 'popup' | 'about' | 'plain';

export const PlaceContext = createContext<Place>('plain');

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  readonly tone?: 'primary' | 'normal' | 'danger' | 'bare' | undefined;
  readonly type?: 'button' | 'submit';
}

/** A plain button; its place decides its looks. Hundreds of them cost nothing. */
export function Button({ tone = 'normal', type = 'button', ...rest }: ButtonProps) {
  const place = use(PlaceContext);
  return <button type={type} className={`button button-${place} tone-${tone}`} {...rest} />;
}
