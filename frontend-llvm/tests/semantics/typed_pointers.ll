; As intrinsics.ll, in the language of LLVM 14: pointers have element types, and there are more kinds of constant expressions.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%packed = type <{ i8, i32, i16 }>
@seed = global i64 1311768467463790320
@table = global [3 x %packed] [%packed <{ i8 1, i32 -2, i16 3 }>, %packed zeroinitializer, %packed <{ i8 7, i32 8, i16 9 }>]
@inner = global i32* getelementptr (%packed, %packed* bitcast ([3 x %packed]* @table to %packed*), i64 2, i32 1)
@distance = global i64 sub (i64 ptrtoint (%packed* getelementptr ([3 x %packed], [3 x %packed]* @table, i64 0, i64 2) to i64), i64 ptrtoint ([3 x %packed]* @table to i64))
@h = global i32 1

define void @see(i32 %v) {
  %old = load i32, i32* @h
  %x = xor i32 %old, %v
  %m = mul i32 %x, 16777619
  %n = add i32 %m, 7
  store i32 %n, i32* @h
  ret void
}

define void @see64(i64 %v) {
  %lo = trunc i64 %v to i32
  %up = lshr i64 %v, 32
  %hi = trunc i64 %up to i32
  call void @see(i32 %lo)
  call void @see(i32 %hi)
  ret void
}

define { i32, i64, float } @triple(i32 %a) {
  %1 = insertvalue { i32, i64, float } poison, i32 %a, 0
  %w = sext i32 %a to i64
  %2 = insertvalue { i32, i64, float } %1, i64 %w, 1
  %f = sitofp i32 %a to float
  %3 = insertvalue { i32, i64, float } %2, float %f, 2
  ret { i32, i64, float } %3
}

define i32 @main() {
entry:
  %s = load i64, i64* @seed
  %t = trunc i64 %s to i32
  %odd = trunc i64 %s to i33
  %odd2 = mul i33 %odd, 77
  %slot = alloca i33
  store i33 %odd2, i33* %slot
  %odd3 = load i33, i33* %slot
  %oddw = sext i33 %odd3 to i64
  call void @see64(i64 %oddw)
  %b = call i64 @llvm.bitreverse.i64(i64 %s)
  call void @see64(i64 %b)
  %fl = call i32 @llvm.fshl.i32(i32 %t, i32 77, i32 45)
  call void @see(i32 %fl)
  %fr = call i32 @llvm.fshr.i32(i32 %t, i32 77, i32 3)
  call void @see(i32 %fr)
  %sa = call i8 @llvm.sadd.sat.i8(i8 100, i8 100)
  %sa2 = sext i8 %sa to i32
  call void @see(i32 %sa2)
  %us = call i32 @llvm.usub.sat.i32(i32 5, i32 %t)
  call void @see(i32 %us)
  %ss = call i32 @llvm.ssub.sat.i32(i32 -2147483600, i32 %t)
  call void @see(i32 %ss)
  %sh = call i32 @llvm.sshl.sat.i32(i32 %t, i32 9)
  call void @see(i32 %sh)
  %cz = call i64 @llvm.ctlz.i64(i64 %s, i1 false)
  call void @see64(i64 %cz)
  %tz = call i64 @llvm.cttz.i64(i64 0, i1 false)
  call void @see64(i64 %tz)
  %pp = call i64 @llvm.ctpop.i64(i64 %s)
  call void @see64(i64 %pp)
  %ab = call i32 @llvm.abs.i32(i32 %t, i1 false)
  call void @see(i32 %ab)
  %mo = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %s, i64 9)
  %mov = extractvalue { i64, i1 } %mo, 0
  %moo = extractvalue { i64, i1 } %mo, 1
  call void @see64(i64 %mov)
  %moz = zext i1 %moo to i32
  call void @see(i32 %moz)
  %tr = call { i32, i64, float } @triple(i32 %t)
  %tr1 = extractvalue { i32, i64, float } %tr, 1
  %tr2 = extractvalue { i32, i64, float } %tr, 2
  call void @see64(i64 %tr1)
  %tri = bitcast float %tr2 to i32
  call void @see(i32 %tri)
  %sat = call i8 @llvm.fptosi.sat.i8.f32(float %tr2)
  %satw = sext i8 %sat to i32
  call void @see(i32 %satw)
  %p = load i32*, i32** @inner
  %pv = load i32, i32* %p, align 1
  call void @see(i32 %pv)
  %d = load i64, i64* @distance
  call void @see64(i64 %d)
  %v0 = insertelement <4 x i32> poison, i32 %t, i64 0
  %v = shufflevector <4 x i32> %v0, <4 x i32> poison, <4 x i32> zeroinitializer
  %vs = lshr <4 x i32> %v, <i32 1, i32 5, i32 9, i32 13>
  %vc = icmp ult <4 x i32> %vs, <i32 60000000, i32 60000000, i32 60000000, i32 60000000>
  %vb = bitcast <4 x i1> %vc to i4
  %vbw = zext i4 %vb to i32
  call void @see(i32 %vbw)
  %vr = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %vs)
  call void @see(i32 %vr)
  %vm = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %vs)
  call void @see(i32 %vm)
  %vmem = alloca <4 x i32>
  store <4 x i32> %vs, <4 x i32>* %vmem
  %words = bitcast <4 x i32>* %vmem to i32*
  %third = getelementptr i32, i32* %words, i64 2
  %tv = load i32, i32* %third
  call void @see(i32 %tv)
  %dyn = and i32 %t, 3
  %de = extractelement <4 x i32> %vs, i32 %dyn
  call void @see(i32 %de)
  %bits = alloca <8 x i1>
  store <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 1, i1 0>, <8 x i1>* %bits
  %bytes = bitcast <8 x i1>* %bits to i8*
  %byte = load i8, i8* %bytes
  %bytew = zext i8 %byte to i32
  call void @see(i32 %bytew)
  %bs = load <8 x i1>, <8 x i1>* %bits
  %b3 = extractelement <8 x i1> %bs, i64 3
  %b3w = zext i1 %b3 to i32
  call void @see(i32 %b3w)
  %agg = alloca [2 x { i8, i64 }]
  store [2 x { i8, i64 }] [{ i8, i64 } { i8 1, i64 2 }, { i8, i64 } { i8 3, i64 4 }], [2 x { i8, i64 }]* %agg
  %back = load [2 x { i8, i64 }], [2 x { i8, i64 }]* %agg
  %e11 = extractvalue [2 x { i8, i64 }] %back, 1, 1
  call void @see64(i64 %e11)
  %wide = zext i64 %s to i128
  %wide2 = mul i128 %wide, 340282366920938463463374607431768211297
  %wide3 = udiv i128 %wide2, 1000000000000000000007
  %wide4 = trunc i128 %wide3 to i64
  call void @see64(i64 %wide4)
  %fr1 = freeze i32 %t
  switch i32 %fr1, label %other [ i32 -1698898192, label %hit  i32 5, label %other ]
hit:
  call void @see(i32 1000)
  br label %loop
other:
  call void @see(i32 2000)
  br label %loop
loop:
  %x = phi i32 [ 1, %hit ], [ 2, %other ], [ %y, %loop ]
  %y = phi i32 [ 10, %hit ], [ 20, %other ], [ %x, %loop ]
  %i = phi i32 [ 0, %hit ], [ 0, %other ], [ %i1, %loop ]
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, 6
  call void @see(i32 %x)
  br i1 %more, label %loop, label %done
done:
  call void @see(i32 %y)
; No object lies at 1, or above 2^60; @seed is aligned.
  call void @see(i32 sext (i1 icmp ne (i64* @seed, i64* inttoptr (i64 1 to i64*)) to i32))
  %cpv = load i64, i64* select (i1 icmp eq (i64* @seed, i64* inttoptr (i64 1 to i64*)), i64* @distance, i64* @seed)
  call void @see64(i64 %cpv)
  call void @see64(i64 sub (i64 or (i64 ptrtoint (i64* @seed to i64), i64 1), i64 ptrtoint (i64* @seed to i64)))
  call void @see64(i64 lshr (i64 and (i64 ptrtoint (i64* @seed to i64), i64 -1152921504606846976), i64 60))
  call void @see64(i64 zext (i1 icmp eq (i64* @distance, i64* inttoptr (i64 1 to i64*)) to i64))
  %called = call i32 bitcast (i32 (i8*)* @first to i32 (i64*)*)(i64* @seed)
  call void @see(i32 %called)
  %again = call i32 @life(i32 %called)
  call void @see(i32 %again)
  %r = load i32, i32* @h
  ret i32 %r
}

declare i64 @llvm.bitreverse.i64(i64)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.abs.i32(i32, i1)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare void @llvm.lifetime.start.p0i8(i64, i8*)
declare void @llvm.lifetime.end.p0i8(i64, i8*)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)

define i32 @first(i8* %bytes) {
  %byte = load i8, i8* %bytes
  %wide = zext i8 %byte to i32
  ret i32 %wide
}

define i32 @life(i32 %n) {
  %slot = alloca { i16, i32 }
  %bytes = bitcast { i16, i32 }* %slot to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* %bytes)
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* %bytes, i8* bitcast (i64* @seed to i8*), i64 8, i1 false)
  %field = getelementptr { i16, i32 }, { i16, i32 }* %slot, i64 0, i32 1
  %v = load i32, i32* %field
  call void @llvm.lifetime.end.p0i8(i64 8, i8* %bytes)
  %sum = add i32 %v, %n
  ret i32 %sum
}
