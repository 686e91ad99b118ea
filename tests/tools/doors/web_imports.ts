/**
 * What TypeScript and Svelte files import. Reads `{ path: source }` from standard input and writes
 * `{ path: [[line, name], …] }`: imports, also of types, `export … from`, `import()`, `import.meta.glob` and
 * `new URL(…, import.meta.url)`. A name that is only known when the page runs is `null`.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import ts from 'typescript';

type Found = [line: number, name: string | null];

const lineAt = (source: string, position: number): number => source.slice(0, position).split('\n').length;

/** The imports of a piece of TypeScript whose first line is line `first` of its file. */
function ofScript(script: string, first = 1): Found[] {
  const file = ts.createSourceFile('script.ts', script, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];

  function add(node: ts.Node | undefined): void {
    if (node === undefined) return;
    if (ts.isArrayLiteralExpression(node)) {
      node.elements.forEach(add);
    } else {
      const name = ts.isStringLiteralLike(node) ? node.text : null;
      found.push([file.getLineAndCharacterOfPosition(node.getStart(file)).line + first, name]);
    }
  }

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier);
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument);
    } else if (ts.isCallExpression(node)) {
      const called = node.expression;
      if (called.kind === ts.SyntaxKind.ImportKeyword || called.getText(file) === 'import.meta.glob') {
        add(node.arguments[0]);
      }
    } else if (ts.isNewExpression(node) && node.arguments?.[1]?.getText(file) === 'import.meta.url') {
      add(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  }

  visit(file);
  return found;
}

/** The `import()`s in the markup of a Svelte file: any object in its tree may be or hold one. */
function ofMarkup(source: string, node: unknown): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap((each) => ofMarkup(source, each));
  if (!('type' in node && node.type === 'ImportExpression')) return below;
  const { start, source: name } = node as unknown as { start: number; source: { value?: unknown } };
  return [[lineAt(source, start), typeof name.value === 'string' ? name.value : null], ...below];
}

function ofSvelte(source: string): Found[] {
  const { fragment, instance, module } = parse(source, { modern: true });
  const scripts = [module, instance].flatMap((script) => {
    if (!script) return [];
    const { start, end } = script.content as unknown as { start: number; end: number };
    return ofScript(source.slice(start, end), lineAt(source, start));
  });
  return [...scripts, ...ofMarkup(source, fragment)];
}

const sources = JSON.parse(readFileSync(0, 'utf8')) as Record<string, string>;
const found = Object.entries(sources).map(([path, source]) => {
  try {
    return [path, path.endsWith('.svelte') ? ofSvelte(source) : ofScript(source)];
  } catch (error) {
    throw new Error(`${path} cannot be read`, { cause: error });
  }
});
process.stdout.write(JSON.stringify(Object.fromEntries(found)));
