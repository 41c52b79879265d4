/** The generated documents, and those with generated parts: where each stands, and its text. */
import { bugsDocument } from "./bugs.ts";
import { conformanceDocument } from "./conformance.ts";
import { coverageDocument } from "./coverage.ts";
import { huntDocument } from "./hunt.ts";
import { nodeInterfaceDocument } from "./node-interface.ts";
import { oraclesDocument } from "./oracles.ts";
import { textWithParts } from "./parts.ts";
import { scenariosDocument } from "./scenarios.ts";
import { validatorWireDocument } from "./validator-wire.ts";

export interface GeneratedDocument {
  /** From the root of the repository. */
  readonly path: string;
  /** The text, from the code and the files below the root. */
  readonly text: (root: string) => string;
}

export const DOCUMENTS: readonly GeneratedDocument[] = [
  { path: "docs/scenarios.md", text: scenariosDocument },
  { path: "docs/oracles.md", text: oraclesDocument },
  { path: "docs/bugs.md", text: bugsDocument },
  { path: "docs/coverage.md", text: coverageDocument },
  { path: "docs/conformance.md", text: conformanceDocument },
  { path: "docs/node-interface.md", text: nodeInterfaceDocument },
  { path: "docs/validator-wire.md", text: validatorWireDocument },
  { path: "reports/hunt.md", text: huntDocument },
  ...["README.md", "docs/limits.md", "docs/guides/campaigns.md"].map((path) => ({
    path,
    text: (root: string) => textWithParts(root, path),
  })),
];
