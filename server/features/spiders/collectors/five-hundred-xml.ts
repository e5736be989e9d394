import { XMLParser } from 'fast-xml-parser';
import type { Collector } from './collector.ts';
import { drawnResult, fieldOf, momentFrom, numbersOf, rowsOf, SourceUnreadable } from './drawn-result.ts';

// Entities are left alone: a document of ours has none, and expanding them is how XML bombs work.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  processEntities: false,
});

/** kaijiang.500.com: a root with `row` elements that carry everything in attributes. */
export const fiveHundredXml: Collector = {
  name: 'FiveHundredXmlSpider',
  desc: '500 彩票网 XML：row 的 expect / opencode / opentime 属性',
  fetches: true,
  read: (body) => {
    const text = body.replace(/^\uFEFF/, '').trim();
    if (!text.startsWith('<') || /^<(!doctype )?html/i.test(text))
      throw new SourceUnreadable('来源返回的不是 XML');
    let document: unknown;
    try {
      document = parser.parse(text);
    } catch {
      throw new SourceUnreadable('来源返回的不是有效的 XML');
    }
    const root = fieldOf(document, 'xml') ?? document;
    return rowsOf(fieldOf(root, 'row'), (row) => 'expect' in row).flatMap((row) =>
      drawnResult(row.expect, numbersOf(row.opencode), momentFrom(row.opentime)),
    );
  },
};
