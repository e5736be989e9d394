import { useLayoutEffect, useRef, useState } from 'react';
import { wordOf } from '#contract/fields.ts';
import { type MailConfig, previewMail } from '#contract/mail-configs.ts';
import { type MailTemplate, mailTemplate } from '#contract/mail-outbox.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Button, Dialog } from '../../kit/overlay/index.ts';
import { harmless } from './harmless.ts';
import './mail.css';

const templates = mailTemplate.options;

/** What the mails of a config look like, with the names of the variables in their places. */
export function MailPreview({ config }: { readonly config: MailConfig }) {
  const present = templates.filter((template) => config[`${template}Template`]);
  const [template, choose] = useState(present[0]);
  return (
    <Dialog title={`预览邮件模板：${config.host}`} width={760}>
      {template === undefined ? (
        <p>这个邮件配置还没有模板。</p>
      ) : (
        <>
          <div className="mail-templates">
            {present.map((each) => (
              <Button
                key={each}
                tone={each === template ? 'primary' : 'normal'}
                aria-pressed={each === template}
                onClick={() => choose(each)}
              >
                {wordOf(mailTemplate, each)}
              </Button>
            ))}
          </div>
          <Sheet template={template} content={config[`${template}Template`] ?? ''} />
        </>
      )}
    </Dialog>
  );
}

function Sheet({ template, content }: { readonly template: MailTemplate; readonly content: string }) {
  const { data } = useEndpoint(previewMail, { template, content });
  const body = useRef<HTMLElement>(null);
  const html = data?.html;
  // Behind a shadow root neither the mail's looks nor the page's reach each other.
  useLayoutEffect(() => {
    if (html === undefined || !body.current) return;
    const root = body.current.shadowRoot ?? body.current.attachShadow({ mode: 'open' });
    root.replaceChildren(...harmless(html, document));
  }, [html]);
  if (!data) return null;
  return (
    <div className="mail-sheet">
      <p>
        <strong>主题：</strong>
        {data.subject}
      </p>
      {data.variables.length > 0 && (
        <p>
          <strong>变量：</strong>
          {data.variables.join('、')}
        </p>
      )}
      <section ref={body} className="mail-body" aria-label="邮件正文" />
    </div>
  );
}
