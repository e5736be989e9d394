import { CheckCircleFilled } from '@ant-design/icons';
import { useState } from 'react';
import {
  type ChatSession,
  getChatSession,
  loginChatByCode,
  loginChatByPassword,
  loginChatByPhone,
  resendChatCode,
} from '#contract/chat-sessions.ts';
import { useCommand, useEndpoint } from '../../kit/call/index.ts';
import { CommandButton } from '../../kit/form/index.ts';
import { Button } from '../../kit/overlay/index.ts';
import { StepForm } from './StepForm.tsx';
import { askedStep, isOver, type Step, sentenceOf, steps } from './steps.ts';

const POLL_MS = 3000;

interface SessionLoginProps {
  readonly session: ChatSession;
  readonly onBack: () => void;
}

/** The steps of a login: the session is asked for every three seconds until it is ready. */
export function SessionLogin({ session: known, onBack }: SessionLoginProps) {
  const { id } = known;
  const [over, setOver] = useState(false);
  const [changing, setChanging] = useState(false);
  const { data: session = known } = useEndpoint(
    getChatSession,
    { id },
    { known, loading: false, everyMs: over ? undefined : POLL_MS },
  );
  const step = askedStep(session.authState, changing);
  if (over !== isOver(step)) setOver(!over);
  return (
    <>
      <StepList now={step} />
      <div className="session-step">
        <StepBody step={step} session={session} onSent={() => setChanging(false)} />
      </div>
      <footer>
        <Button onClick={onBack}>返回</Button>
        {step === 'code' && (
          <CommandButton endpoint={resendChatCode} input={{ id }}>
            重新发送
          </CommandButton>
        )}
        {!changing && step !== 'phone' && !over && (
          <Button onClick={() => setChanging(true)}>更换手机号</Button>
        )}
      </footer>
    </>
  );
}

function StepList({ now }: { readonly now: Step }) {
  const at = steps.findIndex(({ step }) => step === now);
  return (
    <ol className="session-steps">
      {steps.map(({ step, title }, index) => (
        <li key={step} aria-current={step === now ? 'step' : undefined} data-done={index < at || undefined}>
          {title}
        </li>
      ))}
    </ol>
  );
}

interface StepBodyProps {
  readonly step: Step;
  readonly session: ChatSession;
  readonly onSent: () => void;
}

function StepBody({ step, session, onSent }: StepBodyProps) {
  if (step === 'phone') return <PhoneStep session={session} onSent={onSent} />;
  if (step === 'code') return <CodeStep session={session} />;
  if (step === 'password') return <PasswordStep session={session} />;
  if (step === 'ready')
    return (
      <p className="session-success" role="status">
        <CheckCircleFilled aria-hidden /> 登录成功
      </p>
    );
  return <p role="status">{sentenceOf(session)}</p>;
}

function PhoneStep({ session, onSent }: Omit<StepBodyProps, 'step'>) {
  const { run, running, failure } = useCommand(loginChatByPhone);
  const send = async (phone: string) => {
    if (await run({ id: session.id, phone })) onSent();
  };
  return (
    <StepForm
      kind="phone"
      label="手机号"
      placeholder="含国家代码，例如 +8613800138000"
      hint={session.detail}
      running={running}
      error={failure?.message}
      onSend={send}
    />
  );
}

function CodeStep({ session }: { readonly session: ChatSession }) {
  const { run, running, failure } = useCommand(loginChatByCode);
  return (
    <StepForm
      kind="code"
      label="验证码"
      hint={session.detail}
      running={running}
      error={failure?.message}
      onSend={async (code) => void (await run({ id: session.id, code }))}
    />
  );
}

function PasswordStep({ session }: { readonly session: ChatSession }) {
  const { run, running, failure } = useCommand(loginChatByPassword);
  return (
    <StepForm
      kind="password"
      label="二级密码"
      hint={session.detail ?? '该账号设置了二级密码，请输入'}
      running={running}
      error={failure?.message}
      onSend={async (password) => void (await run({ id: session.id, password }))}
    />
  );
}
