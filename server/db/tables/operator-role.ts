// Made from the migrated database by `npm run schema`, never by hand.
export interface OperatorRoleTable {
  operatorId: number;
  roleId: number;
}
