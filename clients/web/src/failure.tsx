import { useContext } from "preact/hooks";
import { type GameLogicError, type GetTextsResponse, reasonText } from "shisanzhi";
import { Spoken, useSay } from "./words.js";

/** A question that was not answered: why, what was wrong with it, and whether to ask again. */
export function Failure({
  error,
  texts,
  again,
}: {
  error: GameLogicError | Error;
  texts?: GetTextsResponse;
  again?: () => void;
}) {
  const say = useSay();
  const language = useContext(Spoken);
  const reason = "reason" in error ? error.reason : "";
  const faults = "faults" in error ? error.faults : [];
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{texts && reason ? reasonText(texts, reason, language) : say("failed")}</strong>
        {faults.length === 0 && <code>{error.message}</code>}
      </p>
      {faults.length > 0 && (
        <ul>
          {faults.map(({ path, description, reason: why }) => (
            <li key={path + why}>
              <code>{path}</code> {description}
            </li>
          ))}
        </ul>
      )}
      {again && faults.length === 0 && (
        <button type="button" onClick={again}>
          {say("tryAgain")}
        </button>
      )}
    </div>
  );
}
