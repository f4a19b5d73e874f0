// A rule of the linter's that it does not bring itself: what is written out at the top of a file, a number, a text or a
// regular expression, is a constant and looks like one. Lists, objects and what is computed are free.

const CONSTANT_CASE = /^[A-Z][A-Z0-9_]*$/;

/** Whether an expression is made of literals alone. */
function isWrittenOut(node) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value !== 'boolean' && node.raw !== 'null';
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return isWrittenOut(node.argument);
    case 'BinaryExpression':
      return isWrittenOut(node.left) && isWrittenOut(node.right);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return isWrittenOut(node.expression);
    default:
      return false;
  }
}

const constantCase = {
  create: (context) => ({
    Program({ body }) {
      for (const statement of body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
        for (const { id, init } of declaration.declarations) {
          if (id.type !== 'Identifier' || CONSTANT_CASE.test(id.name) || !isWrittenOut(init)) continue;
          context.report({ node: id, message: `A constant is written in capitals: ${id.name}.` });
        }
      }
    },
  }),
};

export default { meta: { name: 'house' }, rules: { 'constant-case': constantCase } };
