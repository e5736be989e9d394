/** Where the program says what whoever runs it should know, without secrets; the server's own logger fits. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
