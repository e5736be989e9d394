import { useMemo } from 'react';
import type { InputProps, Option } from '../../kit/form/index.ts';
import { GrantTree } from './GrantTree.tsx';
import { heldIn, nodesOf } from './grant-tree.ts';

const none: readonly Option[] = [];

/** All rows that a field of grants may refer to, as the tree they stand in; what is granted already is checked. */
export function Grants({ label = '', options = none, value, onChange }: InputProps) {
  const nodes = useMemo(() => nodesOf(options), [options]);
  const held = useMemo(() => heldIn(nodes, Array.isArray(value) ? value.map(Number) : []), [nodes, value]);
  return <GrantTree label={label} nodes={nodes} held={held} onChange={(next) => onChange([...next])} />;
}
