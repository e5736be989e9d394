import { useMemo } from 'react';
import { listMenus, type Menu } from '#contract/menus.ts';
import { listRoles } from '#contract/roles.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import type { InputProps } from '../../kit/form/index.ts';
import { GrantTree } from './GrantTree.tsx';
import { type GrantNode, heldIn } from './grant-tree.ts';

const menuNode = ({ id, title, type, childrens }: Menu): GrantNode => ({
  ...{ id, title, standsAlone: type !== 'FOLDER', children: childrens.map(menuNode) },
});

interface GrantInputProps extends InputProps {
  readonly label: string;
  readonly nodes: readonly GrantNode[];
}

function GrantInput({ label, nodes, value, onChange }: GrantInputProps) {
  const held = useMemo(() => heldIn(nodes, Array.isArray(value) ? value.map(Number) : []), [nodes, value]);
  return <GrantTree label={label} nodes={nodes} held={held} onChange={(next) => onChange([...next])} />;
}

/** All menus as a tree, the role's own ones checked. */
export function MenuGrants(props: InputProps) {
  const { data } = useEndpoint(listMenus, {});
  const nodes = useMemo(() => data?.map(menuNode) ?? [], [data]);
  return <GrantInput {...props} label="菜单" nodes={nodes} />;
}

/** All roles, the operator's own ones checked. */
export function RoleGrants(props: InputProps) {
  const { data } = useEndpoint(listRoles, {});
  const nodes = useMemo(
    () => data?.map(({ id, desc }) => ({ id, title: desc, standsAlone: true, children: [] })) ?? [],
    [data],
  );
  return <GrantInput {...props} label="角色" nodes={nodes} />;
}
