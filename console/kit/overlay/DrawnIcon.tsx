import { AppstoreOutlined } from '@ant-design/icons';
import { menuIcons } from './menu-icons.ts';

const known: Readonly<Record<string, typeof AppstoreOutlined>> = menuIcons;

/** Loaded lazily by MenuIcon. */
export function DrawnIcon({ name }: { readonly name: string | null }) {
  const Icon = (name !== null && Object.hasOwn(known, name) && known[name]) || AppstoreOutlined;
  return <Icon />;
}
