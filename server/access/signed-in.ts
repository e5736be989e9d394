import { type GrantingMenu, type Rights, rightsOf, sharedRights } from './rights.ts';

/** A role that is tried on in a session, and until when (wire time). */
export interface RoleTrial {
  readonly roleId: number;
  readonly role: string;
  readonly until: string;
}

/** An operator with a live session, and what their roles' menus let them do. */
export interface SignedIn extends Rights {
  readonly id: number;
  readonly userName: string;
  readonly sessionId: string;
  /** Whether somebody else set the password: until it is changed, nothing else may be done. */
  readonly passwordTemporary: boolean;
  readonly hasGoogleKey: boolean;
  /** The role that is tried on. A call then needs the right of that role and of the operator, and no command is made. */
  readonly trial: RoleTrial | null;
}

/** Who somebody is, in which session. */
type Identity = Pick<SignedIn, 'id' | 'userName' | 'sessionId' | 'passwordTemporary' | 'hasGoogleKey'>;

/** Who somebody is, and the menus of their roles. */
export interface Grants extends Identity {
  menus: readonly GrantingMenu[];
  /** The role tried on, with its menus. */
  trial?: (RoleTrial & { readonly menus: readonly GrantingMenu[] }) | null;
}

/** Somebody with the rights of their roles; in a trial, with those that the tried role has too. */
export function signedInAs(
  who: Identity,
  own: Rights,
  trial: (RoleTrial & { readonly rights: Rights }) | null,
): SignedIn {
  if (!trial) return { ...who, trial, ...own };
  const { rights, ...told } = trial;
  return { ...who, trial: told, ...sharedRights(own, rights) };
}

/** The same by menus, whose rights are worked out. */
export function signedIn({ menus, trial = null, ...who }: Grants): SignedIn {
  if (!trial) return signedInAs(who, rightsOf(menus), null);
  const { menus: tried, ...told } = trial;
  return signedInAs(who, rightsOf(menus), { ...told, rights: rightsOf(tried) });
}

/** The caller of public and platform calls. */
export const nobody: SignedIn = {
  ...{ id: 0, userName: '', sessionId: '', passwordTemporary: false, hasGoogleKey: false, trial: null },
  menuIds: new Set(),
  may: () => false,
  covers: () => false,
  releases: () => false,
};
