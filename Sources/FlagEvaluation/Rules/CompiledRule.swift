/// A targeting rule, ready to be evaluated.
///
/// Its nodes and literals are addresses in an arena, which it owns.
struct CompiledRule: Sendable {
    let root: RulePointer
    let flagKey: Term
    let scheme: FractionalScheme
    let limits: EvaluationLimits
    /// The names of operators that do not exist, by their number.
    let unknownOperators: [String]
    /// Whether the result can change with time alone.
    let dependsOnTime: Bool
    /// Keeps what the other properties point to.
    let arena: TermArena

    /// The address of the first node.
    ///
    /// `@unchecked Sendable`: nodes are never changed after the rule was compiled.
    struct RulePointer: @unchecked Sendable {
        let node: UnsafePointer<RuleNode>
    }
}

extension CompiledRule {
    /// Evaluates the rule and hands the result over while its memory is valid.
    @inline(__always)
    func evaluate<Result>(
        _ context: EvaluationContext, _ body: (Swift.Result<Term, RuleFault>) -> Result
    ) -> Result {
        // Most evaluations need no memory at all or fit what the stack offers.
        withUnsafeTemporaryAllocation(byteCount: 768, alignment: 16) { stack in
            var evaluator = RuleEvaluator(
                context: context.attributes, now: context.now, flagKey: flagKey, scheme: scheme,
                stepsLeft: limits.steps,
                memory: TermMemory(borrowing: stack, allowance: limits.producedBytes))
            defer { evaluator.memory.deallocate() }
            // The evaluator only has addresses: what they point to must not go before the result is used.
            return withExtendedLifetime((context, arena)) {
                do throws(RuleFault) {
                    return body(.success(try evaluator.value(of: root.node, .undefined)))
                } catch {
                    return body(.failure(error))
                }
            }
        }
    }

    /// What went wrong, in words.
    func describe(_ fault: RuleFault) -> String {
        switch fault {
        case .unknownOperator(let number):
            let name = Int(number) < unknownOperators.count ? unknownOperators[Int(number)] : ""
            return "the targeting rule uses the unknown operator \"\(name)\""
        case .missingArgument:
            return "an operator of the targeting rule lacks an argument"
        case .tooManySteps:
            return "the targeting rule takes more than \(limits.steps) steps"
        case .tooManyBytes:
            return "the targeting rule produces more than \(limits.producedBytes) bytes"
        case .tooDeep:
            return "the targeting rule produces a value that nests too deeply"
        }
    }
}
