import type { FastifyRequest } from 'fastify';
import type { Language } from '#contract/language.ts';

/** The language that a caller reads files in: the console says its own, and Chinese is what is said to anybody else. */
export const languageOf = ({ headers }: FastifyRequest): Language =>
  /^en\b/i.test(headers['accept-language'] ?? '') ? 'en' : 'zh';
