// Made from the migrated database by `npm run schema`, never by hand.
export interface OperatorLanguageTable {
  operatorId: number;
  language: 'zh' | 'en';
}
