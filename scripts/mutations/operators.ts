import ts from 'typescript';
import type { Mutation } from './mutation.ts';

/** Ways to break one node of a program. The result parses; it need not have correct types. */
export function mutationsOf(node: ts.Node, source: ts.SourceFile): Mutation[] {
  return OPERATORS.flatMap(([operator, apply]) =>
    apply(node, source).map(({ range, text }) => ({
      operator,
      start: range.getStart(source),
      end: range.getEnd(),
      text,
    })),
  );
}

type Range = {
  readonly getStart: (source: ts.SourceFile) => number;
  readonly getEnd: () => number;
};
type Replacement = { readonly range: Range; readonly text: string };
type Operator = (node: ts.Node, source: ts.SourceFile) => readonly Replacement[];

const replace = (range: Range, text: string): Replacement[] => [{ range, text }];

const RELATIONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
};
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

const binary =
  (table: Readonly<Record<string, string>>): Operator =>
  (node, source) => {
    if (!ts.isBinaryExpression(node)) return [];
    const text = table[node.operatorToken.getText(source)];
    if (text === undefined || isTextual(node.left) || isTextual(node.right)) return [];
    // JSX cannot be a number, so `condition && <Element />` stays as it is
    return isJsx(node.right) ? [] : replace(node.operatorToken, text);
  };

const equality: Operator = (node, source) => {
  if (!ts.isBinaryExpression(node)) return [];
  const text = RELATIONS[node.operatorToken.getText(source)];
  return text === undefined ? [] : replace(node.operatorToken, text);
};

const booleanLiteral: Operator = (node) => {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace(node, 'false');
  return node.kind === ts.SyntaxKind.FalseKeyword ? replace(node, 'true') : [];
};

const number: Operator = (node, source) => {
  if (!ts.isBigIntLiteral(node) && !ts.isNumericLiteral(node)) return [];
  if (isMemberName(node) || isSign(node, source)) return [];
  const digits = node.getText(source).replaceAll('_', '');
  if (ts.isBigIntLiteral(node)) return replace(node, `${BigInt(digits.slice(0, -1)) + 1n}n`);
  return replace(node, String(Number(digits) + 1));
};

/** One of the results of a comparison, `a < b ? -1 : 1`: only its sign matters. */
function isSign(node: ts.Node, source: ts.SourceFile): boolean {
  const branch = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node;
  if (!ts.isConditionalExpression(branch.parent)) return false;
  const { whenTrue, whenFalse } = branch.parent;
  return [whenTrue, whenFalse].some((result) => result.getText(source) === '-1');
}

const string: Operator = (node, source) => {
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return [];
  // text with spaces is for people
  if (node.text.includes(' ') || isName(node) || isTagged(node)) return [];
  const text = node.getText(source);
  return replace(node, `${text.slice(0, -1)}_${text.slice(-1)}`);
};

const negateCondition: Operator = (node, source) => {
  const condition = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined;
  return condition === undefined ? [] : replace(condition, `!(${condition.getText(source)})`);
};

const PREDICATE =
  /^(is|has|can|may|must|should)[A-Z]|^(has|includes|some|every|startsWith|endsWith|test)$/;

const negateResult: Operator = (node, source) => {
  const result = ts.isReturnStatement(node) || ts.isArrowFunction(node) ? bodyOf(node) : undefined;
  if (result === undefined) return [];
  const isBoolean =
    (ts.isCallExpression(result) && PREDICATE.test(calledName(result))) ||
    (ts.isPrefixUnaryExpression(result) && result.operator === ts.SyntaxKind.ExclamationToken);
  return isBoolean ? replace(result, `!(${result.getText(source)})`) : [];
};

const removeCall: Operator = (node) => {
  if (!ts.isExpressionStatement(node)) return [];
  const { expression } = node;
  const isWrapped = ts.isAwaitExpression(expression) || ts.isVoidExpression(expression);
  const call = isWrapped ? expression.expression : expression;
  if (!ts.isCallExpression(call) || call.expression.kind === ts.SyntaxKind.SuperKeyword) return [];
  return replace(node, ';');
};

const removeFallback: Operator = (node, source) => {
  if (!ts.isBinaryExpression(node) || node.operatorToken.getText(source) !== '??') return [];
  return replace(node, node.left.getText(source));
};

const removeSpread: Operator = (node) => {
  if (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.parent)) {
    return replace(node, '...[]');
  }
  return ts.isSpreadAssignment(node) ? replace(node, '...{}') : [];
};

const OPPOSITES: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};

const opposite: Operator = (node) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { name } = node.expression;
  const text = OPPOSITES[name.text];
  return text === undefined ? [] : replace(name, text);
};

const OPERATORS: readonly (readonly [string, Operator])[] = [
  ['relation', equality],
  ['arithmetic', binary(ARITHMETIC)],
  ['logic', binary(LOGIC)],
  ['boolean', booleanLiteral],
  ['number', number],
  ['string', string],
  ['negated condition', negateCondition],
  ['negated result', negateResult],
  ['removed call', removeCall],
  ['removed fallback', removeFallback],
  ['removed spread', removeSpread],
  ['opposite', opposite],
];

function bodyOf(node: ts.ReturnStatement | ts.ArrowFunction): ts.Expression | undefined {
  if (ts.isReturnStatement(node)) return node.expression;
  return ts.isBlock(node.body) ? undefined : node.body;
}

function calledName({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isIdentifier(expression) ? expression.text : '';
}

const isTextual = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isTextual(node.left) || isTextual(node.right)));

const isJsx = (node: ts.Node): boolean =>
  ts.isParenthesizedExpression(node)
    ? isJsx(node.expression)
    : ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node);

/** The name of a member or module, or an attribute, which mostly styles or labels an element. */
const isName = (node: ts.Node): boolean =>
  ts.isJsxAttribute(node.parent) ||
  ts.isExpressionStatement(node.parent) ||
  isMemberName(node) ||
  (ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword);

const isMemberName = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) ||
    ts.isMethodDeclaration(node.parent) ||
    ts.isPropertyDeclaration(node.parent) ||
    ts.isBindingElement(node.parent)) &&
  (node.parent.name === node ||
    (ts.isBindingElement(node.parent) && node.parent.propertyName === node));

const isTagged = ({ parent }: ts.Node): boolean => ts.isTaggedTemplateExpression(parent);
