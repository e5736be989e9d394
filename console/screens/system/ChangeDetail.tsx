import { contract } from '#contract/all.ts';
import type { ChangeRecord } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { changedLines, type Labels } from './changed-lines.ts';
import './change-detail.css';

/** What a call's fields are called, and the words of their codes. */
function labelsOf(call: string): Labels {
  const endpoint = Object.entries<AnyEndpoint>(contract).find(([name]) => name === call)?.[1];
  const fields = Object.entries(endpoint ? shapeOf(endpoint.input) : {});
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      const { title = name, choices } = metaOf(schema);
      return [name, { title, choices }];
    }),
  );
}

/** A change in full: what was sent, and each field before and after. */
export function ChangeDetail({ record }: { readonly record: ChangeRecord }) {
  const lines = changedLines(record, labelsOf(record.call));
  if (lines.length === 0) return <>没有更多内容</>;
  return (
    <table className="change-detail">
      <thead>
        <tr>
          <th>字段</th>
          <th>提交内容</th>
          <th>变更前</th>
          <th>变更后</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, input, before, after, changed }) => (
          <tr key={label} data-changed={changed || undefined}>
            <th>{label}</th>
            <td>{input}</td>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
